import type { JSX } from 'preact'
import { JsonView } from '../../components/json-view.tsx'
import { Section } from '../../components/page.tsx'
import { Elapsed } from '../../components/time.tsx'
import { useLoad } from '../../lib/load.ts'
import { property } from '../../lib/task-summary.ts'
import type { Json, RunningSql, Task } from '../../model.ts'
import { href } from '../../router.ts'

/** What is going on right now: how far it has come, and what its backend does or waits for. */
export function RunPanel({ task }: { readonly task: Task }): JSX.Element {
  const path = task.kind === 'sql' ? `/tasks/${task.id}/running` : null
  const running = useLoad<RunningSql | null>(path, {}, { every: 1_000 })
  const backend = running.data.value
  return (
    <Section
      title="Running"
      actions={<Elapsed since={task.started_at ?? task.claimed_at ?? task.run_at} />}
    >
      <div class="stack">
        {task.progress !== null && <ProgressView progress={task.progress} />}
        {backend !== null && backend.pid !== null && <Backend backend={backend} />}
        {task.progress === null && backend === null && (
          <p class="muted">Worker {task.worker ?? 'unknown'} has it.</p>
        )}
      </div>
    </Section>
  )
}

function Backend({ backend }: { readonly backend: RunningSql }): JSX.Element {
  const { pid, state, wait_event, wait_event_type, blocked_by, connection } = backend
  const blockers = blocked_by ?? []
  return (
    <>
      <dl class="facts">
        <dt>Backend</dt>
        <dd>
          {pid} {connection !== null && `on ${connection}`} {state !== null && `· ${state}`}
        </dd>
        <dt>Waits for</dt>
        <dd>{wait_event === null ? 'nothing: it works' : `${wait_event_type}: ${wait_event}`}</dd>
      </dl>
      {blockers.length > 0 && (
        <p class="note note--warn">
          <span>
            Blocked by {blockers.length === 1 ? 'backend' : 'backends'} {blockers.join(', ')}.{' '}
            <a href={href('/database')}>Show locks</a>
          </span>
        </p>
      )}
    </>
  )
}

/** A number from 0 to 100, or `{ done, total }`, as a bar; anything else as it was reported. */
function ProgressView({ progress }: { readonly progress: Json }): JSX.Element {
  const share = shareOf(progress)
  const message = property(progress, 'message')
  return (
    <div class="stack">
      {share !== null && (
        <span class="progress progress--wide">
          <progress aria-label="Progress" value={share} max={1} />
          {Math.round(share * 100)} %
        </span>
      )}
      {typeof message === 'string' && <p>{message}</p>}
      {share === null && typeof message !== 'string' && (
        <JsonView value={progress} label="Progress" />
      )}
    </div>
  )
}

function shareOf(progress: Json): number | null {
  if (typeof progress === 'number') return clamp(progress / 100)
  const percent = property(progress, 'percent')
  if (typeof percent === 'number') return clamp(percent / 100)
  const [done, total] = [property(progress, 'done'), property(progress, 'total')]
  if (typeof done === 'number' && typeof total === 'number' && total > 0) return clamp(done / total)
  return null
}

function clamp(share: number): number {
  return Math.min(Math.max(share, 0), 1)
}
