import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { copyText } from '../../components/copy.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { attempt, toast } from '../../components/toast.tsx'
import { apiPath } from '../../lib/base.ts'
import { asCommand, asCurl, asSql } from '../../lib/copy-as.ts'
import type { Info, Task } from '../../model.ts'
import { href, navigate } from '../../router.ts'
import { may } from '../../session.ts'
import { SignalDialog } from './durable/signal-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'

interface TaskActionsProps {
  readonly task: Task
  readonly onDone: () => void
}

/** What can be done with the task in its state; the engine has the last word. */
export function TaskActions({ task, onDone }: TaskActionsProps): JSX.Element {
  const editing = useSignal<'retry' | 'edit' | 'signal' | null>(null)
  const isLive = task.finished_at === null
  const isWaiting = isLive && task.state !== 'running'
  const act = async (path: string, done: string, body: unknown = {}) => {
    await attempt(() => api.post(`/tasks/${task.id}${path}`, body), done)
    onDone()
  }
  const edit = (mode: typeof editing.value) => () => {
    editing.value = mode
  }
  return (
    <>
      {may('operate') && !isLive && (
        <>
          <Button
            icon="retry"
            look="primary"
            onClick={() => void act('/retry', `Task ${task.id} is queued again.`)}
          >
            Retry
          </Button>
          <Button icon="edit" onClick={edit('retry')}>
            Retry with edits
          </Button>
        </>
      )}
      {may('operate') && isWaiting && (
        <>
          {task.state !== 'waiting' && Date.parse(task.run_at) > Date.now() && (
            <Button
              icon="play"
              onClick={() =>
                void act('/move', `Task ${task.id} is due now.`, {
                  run_at: new Date().toISOString(),
                })
              }
            >
              Run now
            </Button>
          )}
          <Button icon="edit" onClick={edit('edit')}>
            Edit
          </Button>
        </>
      )}
      {may('operate') && isLive && (
        <Button icon="stop" onClick={() => void cancel(task, act)}>
          Cancel
        </Button>
      )}
      {may('operate') && task.state === 'running' && (
        <Button icon="close" look="danger" onClick={() => void kill(task, act)}>
          Kill
        </Button>
      )}
      <Menu label="Copy as" text="Copy as" icon="copy" items={copies(task)} />
      {may('operate') && <Menu label="More actions" items={moreActions(task, edit('signal'))} />}
      {editing.value === 'signal' && <SignalDialog task={task} name="" onClose={edit(null)} />}
      {editing.value !== null && editing.value !== 'signal' && (
        <EditDialog task={task} mode={editing.value} onClose={edit(null)} onDone={onDone} />
      )}
    </>
  )
}

type Act = (path: string, done: string, body?: unknown) => Promise<void>

async function cancel(task: Task, act: Act): Promise<void> {
  const isRunning = task.state === 'running'
  const isSure = await confirm({
    title: `Cancel task ${task.id}?`,
    text: isRunning
      ? 'It runs now. What it does is stopped; what it did outside its transaction stays.'
      : 'It will not run. It can be retried later.',
    action: 'Cancel the task',
  })
  if (isSure) await act('/cancel', `Task ${task.id} is cancelled.`)
}

async function kill(task: Task, act: Act): Promise<void> {
  const isSure = await confirm({
    title: `Kill task ${task.id}?`,
    text: '1 task that runs is stopped and fails for good, whatever attempts are left.',
    action: 'Kill the task',
  })
  if (isSure) await act('/kill', `Task ${task.id} is killed.`)
}

function moreActions(task: Task, onSignal: () => void): MenuItem[] {
  return [
    {
      text: 'Send a signal',
      icon: 'play',
      disabled: task.finished_at !== null,
      onSelect: onSignal,
    },
    {
      text: 'Run again as a new task',
      icon: 'plus',
      onSelect: () => void runAgain(task),
    },
    { text: 'Delete', icon: 'trash', danger: true, onSelect: () => void remove(task) },
  ]
}

async function runAgain(task: Task): Promise<void> {
  const { queue, kind, handler, priority, groups, tags } = task
  const copy = {
    queue,
    kind,
    priority,
    // What is undefined is left out of a request.
    handler: handler ?? undefined,
    groups: groups ?? undefined,
    tags: tags ?? undefined,
  }
  let id = ''
  const isDone = await attempt(
    async () => {
      // As a text that is not parsed here, so that no number loses digits.
      const { payload } = await api.get<{ payload: string }>(`/tasks/${task.id}/texts`)
      id = (await api.post<{ id: string }>('/tasks', { ...copy, payload_text: payload })).id
    },
    () => `Task ${id} is a copy of this one.`,
  )
  if (isDone) navigate(href(`/tasks/${id}`))
}

async function remove(task: Task): Promise<void> {
  const isSure = await confirm({
    title: `Delete task ${task.id}?`,
    text: '1 task will be gone, with its output and history. This cannot be undone.',
    action: 'Delete the task',
  })
  if (!isSure) return
  if (await attempt(() => api.delete(`/tasks/${task.id}`), `Task ${task.id} is deleted.`)) {
    navigate(href('/tasks'))
  }
}

function copies(task: Task): MenuItem[] {
  const copy = (what: string, text: () => string | Promise<string>) => async () => {
    await copyText(await text())
    toast(`Copied as ${what}.`)
  }
  const inSql = async () => asSql(task, (await api.get<Info>('/info')).schema)
  return [
    { text: 'Id', onSelect: () => void copy('an id', () => task.id)() },
    { text: 'SQL', onSelect: () => void copy('SQL', inSql)() },
    { text: 'Command line', onSelect: () => void copy('a command', () => asCommand(task))() },
    {
      text: 'curl',
      onSelect: () => void copy('curl', () => asCurl(task, location.origin + apiPath('/tasks')))(),
    },
    { text: 'JSON', onSelect: () => void copy('JSON', () => JSON.stringify(task, null, 2))() },
  ]
}
