import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { log } from '../../../http/schemas/task-details.ts'
import { Copy } from '../../components/copy.tsx'
import { Section } from '../../components/page.tsx'
import { exactTime } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { LogLine, Read } from '../../model.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** What the task wrote while it ran; follows the end as long as one reads there. */
export function Logs({
  id,
  isRunning,
}: {
  readonly id: string
  readonly isRunning: boolean
}): JSX.Element | null {
  const lines = useLines(id)
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const list = box.current
    if (list !== null && isAtEnd.current) list.scrollTop = list.scrollHeight
  }, [lines.length])
  if (lines.length === 0) return null
  return (
    <Section title="Log" actions={<Copy text={() => textOf(lines)} label="Copy the log" />}>
      <div
        ref={box}
        class="log"
        role="log"
        aria-live={isRunning ? 'polite' : 'off'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: list }) => {
          isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < 24
        }}
      >
        <ol>
          {lines.map((line, index) => (
            <li key={index} class={`log__line log__line--${line.level}`}>
              <time dateTime={line.at} title={exactTime(line.at)}>
                {clock.format(new Date(line.at))}
              </time>
              <span class="log__level">{line.level}</span>
              <span class="log__text">{line.message}</span>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  )
}

/** All lines so far; only those that are new are asked for. */
function useLines(id: string): readonly LogLine[] {
  const lines = useSignal<readonly LogLine[]>([])
  const after = useSignal(0)
  const page = useLoad<Read<typeof log>>(
    `/tasks/${encodeURIComponent(id)}/logs`,
    { after: after.value },
    { when: (changes) => changes.touchesTask(id), pace: 400 },
  ).data.value
  useEffect(() => {
    if (page === null || page.next_after <= after.peek()) return
    lines.value = [...lines.peek(), ...page.items]
    after.value = page.next_after
  }, [page])
  return lines.value
}

function textOf(lines: readonly LogLine[]): string {
  return lines.map(({ at, level, message }) => `${at} ${level} ${message}`).join('\n')
}
