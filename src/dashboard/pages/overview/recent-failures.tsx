import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Time } from '../../components/time.tsx'
import { attempt } from '../../components/toast.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Page, Task } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'

const most = 8

/** What failed lately, each with the way to try again. */
export function RecentFailures(): JSX.Element {
  const failures = useLoad<Page<Task>>(
    '/tasks',
    { state: 'failed', limit: most },
    {
      when: (changes) =>
        changes.touchesTask('') || changes.count('fail') + changes.count('retry') > 0,
      every: 15_000,
      pace: 900,
    },
  )
  const tasks = failures.data.value?.items ?? []
  return (
    <Section
      title="Recent failures"
      flush
      actions={<a href={href('/tasks', { state: 'failed' })}>All failed</a>}
    >
      <ProblemNote error={failures.error.value} />
      <ul class="rows">
        {tasks.map((task) => (
          <Failure key={task.id} task={task} onRetried={failures.reload} />
        ))}
      </ul>
      {failures.data.value !== null && tasks.length === 0 && (
        <EmptyState title="Nothing has failed." />
      )}
    </Section>
  )
}

function Failure({
  task,
  onRetried,
}: {
  readonly task: Task
  readonly onRetried: () => void
}): JSX.Element {
  const to = href(`/tasks/${task.id}`)
  const retry = async () => {
    await attempt(() => api.post(`/tasks/${task.id}/retry`), `Task ${task.id} is queued again.`)
    onRetried()
  }
  return (
    <li class="rows__row" data-row={task.id} data-href={to} tabIndex={-1}>
      <div class="rows__text">
        <a class="cell-cut" href={to}>
          {task.error?.message ?? task.reason ?? 'failed'}
        </a>
        <span class="muted cell-cut">
          {task.queue} · #{task.id} · <Time at={task.finished_at} />
        </span>
      </div>
      {may('operate') && (
        <Button
          look="quiet"
          icon="retry"
          label={`Retry task ${task.id}`}
          onClick={() => void retry()}
        />
      )}
    </li>
  )
}
