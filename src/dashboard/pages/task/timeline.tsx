import type { JSX } from 'preact'
import { now } from '../../lib/clock.ts'
import { duration, exactTime } from '../../lib/format.ts'
import { type Phase, phasesOf } from '../../lib/timeline.ts'
import type { Attempt, Task } from '../../model.ts'

/** Where the time went: a bar in proportion, and the same in words. */
export function Timeline({
  task,
  attempts,
}: {
  readonly task: Task
  readonly attempts: readonly Attempt[]
}): JSX.Element {
  const end = task.finished_at === null ? now.value : Number.POSITIVE_INFINITY
  const phases = phasesOf(task, attempts, end)
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="timeline__bar" aria-hidden="true">
        {phases.map((phase) => (
          <span
            key={`${phase.from} ${phase.what}`}
            class={`timeline__phase timeline__phase--${phase.what === 'ran' ? 'ran' : 'waits'} tone-${phase.tone}`}
            style={{ flexGrow: phase.to - phase.from }}
            title={`${wordsOf(phase)} ${lengthOf(phase)}`}
          />
        ))}
      </div>
      <ol class="timeline__list">
        {phases.slice(-mostWords).map((phase) => (
          <li key={`${phase.from} ${phase.what}`} class={`tone-${phase.tone}`}>
            <span class="timeline__dot" aria-hidden="true" />
            <span title={exactTime(new Date(phase.from).toISOString())}>{wordsOf(phase)}</span>
            <span class="muted">{lengthOf(phase)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const mostWords = 8

function wordsOf({ what, attempt, tone }: Phase): string {
  if (what !== 'ran') return what
  return `${tone === 'running' ? 'running' : 'ran'}, attempt ${attempt}`
}

function lengthOf({ from, to }: Phase): string {
  return duration((to - from) / 1000)
}
