import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { describeWaits, isNever, waitsSince } from '../../../lib/waits.ts'
import { Badge } from '../../components/badge.tsx'
import { type Column, type Selection, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { duration, secondsBetween } from '../../lib/format.ts'
import { errorMessageOf, summaryOf } from '../../lib/task-summary.ts'
import type { Task } from '../../model.ts'
import { href } from '../../router.ts'

const columns: readonly Column<Task>[] = [
  {
    title: 'Task',
    class: 'col-id',
    cell: ({ id }) => <a href={href(`/tasks/${id}`)}>#{id}</a>,
  },
  {
    title: 'State',
    class: 'col-state',
    cell: ({ state, reason }) => <Badge state={state} title={reason ?? undefined} />,
  },
  {
    title: 'Queue',
    class: 'col-queue',
    cell: (task) => (
      <span class="cell-cut" title={task.handler ?? undefined}>
        {task.queue}
        {task.handler !== null && task.handler !== task.queue && (
          <span class="muted"> {task.handler}</span>
        )}
      </span>
    ),
  },
  { title: 'What', class: 'col-what', cell: (task) => <What task={task} /> },
  {
    title: 'Attempt',
    align: 'right',
    class: 'col-attempt',
    from: 'widest',
    cell: ({ attempt, max_attempts }) =>
      max_attempts === null ? attempt : `${attempt}/${max_attempts}`,
  },
  {
    title: 'Ran',
    align: 'right',
    class: 'col-ran',
    from: 'widest',
    cell: ({ started_at, finished_at }) => {
      const seconds = secondsBetween(started_at, finished_at)
      return seconds === null ? '' : duration(seconds)
    },
  },
  {
    title: 'When',
    align: 'right',
    class: 'col-when',
    cell: (task) => <Time at={momentFor(task)} />,
  },
]

/** To light up most of a page tells nothing, and in a burst keeps the browser painting. */
const mostLit = 10

/** The same objects for tasks that are as they were, so that their rows are not drawn again. */
function useSame(tasks: readonly Task[]): readonly Task[] {
  const before = useRef<ReadonlyMap<string, Task>>(new Map())
  return useMemo(() => {
    const same = new Map(
      tasks.map((task) => {
        const text = JSON.stringify(task)
        return [text, before.current.get(text) ?? task]
      }),
    )
    before.current = same
    return [...same.values()]
  }, [tasks])
}

/** Tasks as rows; a row whose state changed lights up for a moment. */
export function TaskTable({
  tasks: given,
  selection,
  head,
}: {
  readonly tasks: readonly Task[]
  readonly selection?: Selection<Task> | undefined
  readonly head?: ComponentChildren
}): JSX.Element {
  const tasks = useSame(given)
  const seen = useRef<ReadonlyMap<string, string>>(new Map())
  const before = seen.current
  useEffect(() => {
    seen.current = new Map(tasks.map(({ id, state }) => [id, state]))
  }, [tasks])
  const changed = tasks.filter(({ id, state }) => before.size > 0 && before.get(id) !== state)
  const lit = new Set(changed.length > mostLit ? [] : changed)
  return (
    <section class="panel task-table" aria-label="Tasks">
      {head}
      <Table
        label="Tasks"
        columns={columns}
        rows={tasks}
        rowKey={({ id }) => id}
        recycles
        rowHref={({ id }) => href(`/tasks/${id}`)}
        rowClass={(task) => (lit.has(task) ? `row--changed tone-${task.state}` : '')}
        {...(selection === undefined ? {} : { selection })}
      />
    </section>
  )
}

function What({ task }: { readonly task: Task }): JSX.Element {
  const message = task.state === 'failed' ? errorMessageOf(task) : null
  const waits = task.state === 'waiting' ? describeWaits(task.waits) : null
  return (
    <span class="cell-cut">
      {task.key !== null && <span class="what__key">{task.key} </span>}
      {message !== null && <span class="what__error">{message} </span>}
      {waits !== null && <span class="what__waits">{waits} </span>}
      <span class="mono muted">{summaryOf(task)}</span>
      {task.tags?.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
    </span>
  )
}

/** The moment that matters in its state: when it comes, when it began, when it ended. Without a time to come, since when it waits. */
function momentFor(task: Task): string {
  if (task.finished_at !== null) return task.finished_at
  if (task.state === 'running') return task.started_at ?? task.claimed_at ?? task.run_at
  const since = isNever(new Date(task.run_at)) ? waitsSince(task.waits)?.toISOString() : undefined
  return since ?? task.run_at
}
