import type { JSX } from 'preact'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { lineDiff } from '../../lib/line-diff.ts'
import { sqlOf } from '../../lib/task-summary.ts'
import type { Attempt, Json, Page, Task } from '../../model.ts'

/** How the payload was changed between attempts; the page has the newest attempt first. */
export function PayloadChanges({
  task,
  page,
}: {
  readonly task: Task
  readonly page: Page<Attempt> | null
}): JSX.Element | null {
  const changed = (page?.items ?? []).filter(({ payload }) => payload !== null)
  if (changed.length === 0) return null
  return (
    <Section title="Payload changes">
      <div class="stack">
        {changed.map((attempt, index) => (
          <PayloadDiff
            key={attempt.ended_at}
            attempt={attempt}
            before={textOf(task, attempt.payload as Json)}
            after={textOf(task, (changed[index - 1]?.payload ?? task.payload) as Json)}
          />
        ))}
      </div>
    </Section>
  )
}

function PayloadDiff({
  attempt,
  before,
  after,
}: {
  readonly attempt: Attempt
  readonly before: string
  readonly after: string
}): JSX.Element {
  return (
    <div>
      <h3>
        After attempt {attempt.attempt}, <Time at={attempt.ended_at} />
      </h3>
      <pre class="diff">
        {lineDiff(before, after).map(({ side, text }, index) => (
          <Line key={index} side={side} text={text} />
        ))}
      </pre>
    </div>
  )
}

const signs = { both: ' ', before: '-', after: '+' } as const

function Line({
  side,
  text,
}: {
  readonly side: keyof typeof signs
  readonly text: string
}): JSX.Element {
  const line = `${signs[side]} ${text}\n`
  if (side === 'before') return <del>{line}</del>
  return side === 'after' ? <ins>{line}</ins> : <span>{line}</span>
}

/** SQL as its text, all else as JSON over lines. */
function textOf(task: Task, payload: Json): string {
  return sqlOf({ ...task, payload }) ?? JSON.stringify(payload, null, 2)
}
