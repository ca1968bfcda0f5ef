import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Copy } from '../../../components/copy.tsx'
import { Section } from '../../../components/page.tsx'
import { ProblemNote } from '../../../components/problem.tsx'
import { Segments } from '../../../components/segments.tsx'
import { type Chunk, useChunks } from '../../../lib/chunks.ts'
import { count, exactTime } from '../../../lib/format.ts'

const looks = [
  { value: 'chunks', text: 'Chunks' },
  { value: 'text', text: 'Text' },
] as const
/** A chunk has up to 256 kB. */
const mostLetters = 4_000

/** What the task writes to its stream, as it comes; follows the end while the viewer reads there. */
export function StreamSection({
  id,
  hasEnded,
}: {
  readonly id: string
  readonly hasEnded: boolean
}): JSX.Element | null {
  const { list, dropped, problem } = useChunks(id, hasEnded)
  const look = useSignal<string>('chunks')
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const chunks = list.value
  useEffect(() => {
    if (box.current !== null && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight
  }, [chunks, look.value])
  if (chunks.length === 0) return <ProblemNote error={problem.value} />
  const isText = look.value === 'text'
  return (
    <Section
      title="Stream"
      actions={
        <>
          <Segments
            label="Show the stream as"
            value={look.value}
            choices={looks}
            onChange={(value) => {
              look.value = value
            }}
          />
          <Copy text={() => (isText ? textOf(chunks) : linesOf(chunks))} label="Copy the stream" />
        </>
      }
    >
      {dropped.value > 0 && (
        <p class="muted">The first {count(dropped.value)} chunks are not shown.</p>
      )}
      <div
        ref={box}
        class="log"
        role="log"
        aria-label="Stream"
        aria-live={hasEnded ? 'off' : 'polite'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
        }}
      >
        {isText ? (
          <p class="log__text">{textOf(chunks)}</p>
        ) : (
          <ol>
            {chunks.map(({ place, at, attempt, chunk }, index) => (
              <li key={place} class="stream__line" title={exactTime(at)}>
                <span class="muted">{place}</span>
                <span class="log__text">{cut(JSON.stringify(chunk))}</span>
                {chunks[index - 1]?.attempt !== attempt && (
                  <span class="muted">attempt {attempt}</span>
                )}
              </li>
            ))}
          </ol>
        )}
      </div>
    </Section>
  )
}

/** Strings joined as they are, as of an answer that comes word by word; other values on lines of their own. */
function textOf(chunks: readonly Chunk[]): string {
  return chunks
    .map(({ chunk }) => (typeof chunk === 'string' ? chunk : `\n${JSON.stringify(chunk)}\n`))
    .join('')
}

function linesOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ chunk }) => JSON.stringify(chunk)).join('\n')
}

function cut(text: string): string {
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}
