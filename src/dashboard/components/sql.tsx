import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { markPosition, sqlTokens } from '../lib/sql-tokens.ts'
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
  const tokens = useMemo(() => {
    const cut = text.length > longest ? [{ kind: 'plain' as const, text }] : sqlTokens(text)
    return markPosition(cut, position)
  }, [text, position])
  return (
    <div class="code-box">
      <pre class="code">
        <code>
          {tokens.map((token, index) =>
            token.marked === true ? (
              <mark key={index} class="code__error">
                {token.text}
              </mark>
            ) : (
              <span key={index} class={`sql-${token.kind}`}>
                {token.text}
              </span>
            ),
          )}
        </code>
      </pre>
      <Copy text={text} label="Copy the SQL" />
    </div>
  )
}
