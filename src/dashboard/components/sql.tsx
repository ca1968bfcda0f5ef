import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { markPosition, sqlPieces } from '../lib/sql-pieces.ts'
import { Copy } from './copy.tsx'

/** Beyond this, colours cost more than they tell. */
const longest = 50_000

/** SQL in colour, with the place of an error underlined. */
export function Sql({
  text,
  position,
}: {
  readonly text: string
  readonly position?: number | undefined
}): JSX.Element {
  const pieces = useMemo(() => {
    const cut = text.length > longest ? [{ kind: 'plain' as const, text }] : sqlPieces(text)
    return markPosition(cut, position)
  }, [text, position])
  return (
    <div class="code-box">
      <pre class="code">
        <code>
          {pieces.map((piece, index) =>
            piece.marked === true ? (
              <mark key={index} class="code__error">
                {piece.text}
              </mark>
            ) : (
              <span key={index} class={`sql-${piece.kind}`}>
                {piece.text}
              </span>
            ),
          )}
        </code>
      </pre>
      <Copy text={text} label="Copy the SQL" />
    </div>
  )
}
