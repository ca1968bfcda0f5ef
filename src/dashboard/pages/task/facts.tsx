import type { ComponentChildren, JSX } from 'preact'
import { isNever } from '../../../lib/waits.ts'
import { Facts } from '../../components/facts.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { shortId } from '../../lib/format.ts'
import { inWords } from '../../lib/interval.ts'
import type { Task } from '../../model.ts'
import { href } from '../../router.ts'

/** What is known of the task besides its data. */
export function TaskFacts({ task }: { readonly task: Task }): JSX.Element {
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Queue', <QueueLink key="queue" name={task.queue} />],
    ['Kind', task.kind],
    ['Handler', task.handler],
    [
      'Key',
      task.key === null ? null : (
        <TaskList key="key" by="key" value={task.key} queue={task.queue} />
      ),
    ],
    ['Groups', listOf(task.groups, (name) => <TaskList key={name} by="group" value={name} />)],
    ['Tags', listOf(task.tags, (name) => <TaskList key={name} by="tag" value={name} />)],
    ['Priority', task.priority],
    ['Attempt', attemptOf(task)],
    ['Iteration', task.iteration === 0 ? null : task.iteration],
    ['Reason', task.reason],
    ['Waits for', task.waits_for],
    ['Enqueued', <Time key="created" at={task.created_at} />],
    ['By', task.submitted_by],
    ['Due', isNever(new Date(task.run_at)) ? null : <Time key="due" at={task.run_at} />],
    ['Started', orNothing(task.started_at ?? task.claimed_at)],
    ['Ended', orNothing(task.finished_at)],
    ['Deadline', orNothing(task.deadline)],
    ['Timeout', task.timeout && inWords(task.timeout)],
    ['Worker', task.worker === null ? null : <WorkerLink key="worker" id={task.worker} />],
    ['Lease until', orNothing(task.lease_expires_at)],
    ['Kept until', orNothing(task.keep_until)],
    [
      'Parent',
      task.parent === null ? null : (
        <a key="parent" href={href(`/tasks/${task.parent}`)}>
          #{task.parent}
        </a>
      ),
    ],
    ['Children', <TaskList key="children" by="parent" value={task.id} text="show" />],
  ]
  return (
    <Section title="Details">
      <Facts facts={facts.filter(([, value]) => value !== null)} />
    </Section>
  )
}

/** Of a task that has ended, the limit is known only if it had one of its own. */
function attemptOf({ attempt, max_attempts }: Task): string {
  return max_attempts === null ? String(attempt) : `${attempt} of ${max_attempts}`
}

function orNothing(at: string | null): JSX.Element | null {
  return at === null ? null : <Time at={at} />
}

function listOf(
  names: readonly string[] | null,
  show: (name: string) => JSX.Element,
): JSX.Element | null {
  if (names === null || names.length === 0) return null
  return <span class="fact-list">{names.map(show)}</span>
}

function QueueLink({ name }: { readonly name: string }): JSX.Element {
  return <a href={href(`/queues/${encodeURIComponent(name)}`)}>{name}</a>
}

function WorkerLink({ id }: { readonly id: string }): JSX.Element {
  return (
    <a href={href(`/workers/${encodeURIComponent(id)}`)} title={id}>
      {shortId(id)}
    </a>
  )
}

function TaskList(props: {
  readonly by: string
  readonly value: string
  readonly queue?: string
  readonly text?: string
}): JSX.Element {
  return (
    <a href={href('/tasks', { [props.by]: props.value, queue: props.queue })}>
      {props.text ?? props.value}
    </a>
  )
}
