import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { taskTexts } from '../../../http/schemas/task-details.ts'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageFrame } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { mayBeRounded, parseExact } from '../../lib/exact.ts'
import { useLoad } from '../../lib/load.ts'
import type { Attempt, Json, Page, Read, Task } from '../../model.ts'
import { href } from '../../router.ts'
import type { PageProps } from '../page.ts'
import { Attempts } from './attempts.tsx'
import { Durable } from './durable/durable.tsx'
import { ErrorSection } from './error-view.tsx'
import { TaskFacts } from './facts.tsx'
import { Logs } from './logs.tsx'
import { OutputSection, PayloadSection } from './payload.tsx'
import { PayloadChanges } from './payload-changes.tsx'
import { RunPanel } from './run-panel.tsx'
import { TaskActions } from './task-actions.tsx'
import { Timeline } from './timeline.tsx'
import { WaitingNote } from './waiting-note.tsx'

/** One task: what it is, what became of it, and what can be done about it. */
export function TaskPage({ params }: PageProps): JSX.Element {
  const id = params['id'] ?? ''
  const path = `/tasks/${encodeURIComponent(id)}`
  const isTouched = {
    when: (changes: { touchesTask: (id: string) => boolean }) => changes.touchesTask(id),
  }
  const task = useLoad<Task>(path, {}, { ...isTouched, every: 10_000, pace: 300 })
  const attempts = useLoad<Page<Attempt>>(
    `${path}/attempts`,
    { order: 'newest' },
    { ...isTouched, pace: 600 },
  )
  const found = useExact(task.data.value)
  // Called, not mounted: the heading that has the focus is the same one once the task is there.
  if (found === null) return Missing({ id, error: task.error.value })
  const reload = () => {
    task.reload()
    attempts.reload()
  }
  return (
    <PageFrame
      title={<TaskTitle task={found} />}
      name={`Task ${id}`}
      actions={<TaskActions task={found} onDone={reload} />}
    >
      <div class="stack">
        <ProblemNote error={task.error.value} />
        <WaitingNote reasons={found.waiting ?? []} />
        <Timeline task={found} attempts={attempts.data.value?.items ?? []} />
        <div class="task">
          <div class="stack">
            <ErrorSection task={found} />
            {found.state === 'running' && <RunPanel task={found} />}
            <Durable task={found} attempts={attempts.data.value?.items ?? []} onDone={reload} />
            <PayloadSection task={found} />
            <OutputSection task={found} />
            <PayloadChanges task={found} page={attempts.data.value} />
            <Logs id={id} isRunning={found.state === 'running'} />
            <Attempts page={attempts.data.value} />
          </div>
          <TaskFacts task={found} />
        </div>
      </div>
    </PageFrame>
  )
}

/** The task with all digits of its numbers: asked for only where some may be missing. */
function useExact(task: Task | null): Task | null {
  const isRounded = task !== null && mayBeRounded([task.payload, task.output])
  const path = isRounded ? `/tasks/${task.id}/texts` : null
  const texts = useLoad<Read<typeof taskTexts>>(path, {}, { when: true, pace: 1_000 }).data.value
  return useMemo(
    () =>
      // What is no longer asked for may be of a payload that was changed since.
      task === null || texts === null || path === null
        ? task
        : { ...task, payload: read(texts.payload), output: read(texts.output) },
    [task, texts, path],
  )
}

function read(text: string | null): Json {
  return text === null ? null : parseExact(text)
}

function TaskTitle({ task }: { readonly task: Task }): JSX.Element {
  return (
    <span class="task-title">
      <span>
        Task <span class="mono">#{task.id}</span>
      </span>
      {/* Announced to screen readers. */}
      <span aria-live="polite">
        <Badge state={task.state} title={task.reason ?? undefined} />
      </span>
    </span>
  )
}

function Missing({
  id,
  error,
}: {
  readonly id: string
  readonly error: Parameters<typeof ProblemNote>[0]['error'] | null
}): JSX.Element {
  return (
    <PageFrame title={`Task #${id}`}>
      {error !== null && error.status === 404 && (
        <EmptyState title="This task is gone">
          It was deleted, or its retention is over. <a href={href('/tasks')}>All tasks</a>
        </EmptyState>
      )}
      {error !== null && error.status !== 404 && <ProblemNote error={error} />}
    </PageFrame>
  )
}
