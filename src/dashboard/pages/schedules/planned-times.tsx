import type { JSX } from 'preact'
import { Time } from '../../components/time.tsx'
import { exactTime } from '../../lib/format.ts'
import type { PlannedTime } from './schedule-model.ts'

/** The next times: as the clocks of the schedule's zone show them, with a word where those change. */
export function PlannedTimes({ times }: { readonly times: readonly PlannedTime[] }): JSX.Element {
  if (times.length === 0) return <p class="muted">No further runs.</p>
  return (
    <ol class="planned">
      {times.map(({ planned_at: at, local, words }) => (
        <li key={at} class="planned__time">
          <span class="planned__local" title={`${exactTime(at)} where you are`}>
            {local}
          </span>
          <Time at={at} />
          {words !== null && <span class="planned__note">{words}</span>}
        </li>
      ))}
    </ol>
  )
}
