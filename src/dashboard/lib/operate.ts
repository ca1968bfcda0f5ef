import { signal } from '@preact/signals'
import { api } from '../api.ts'
import { confirm } from '../components/confirm.tsx'
import { toast, toastError } from '../components/toast.tsx'
import type { Operation } from '../model.ts'
import { type Counted, plural } from './format.ts'
import type { TaskFilter } from './task-filter.ts'

export type BulkAction = Operation['action']

export interface Bulk {
  readonly action: BulkAction
  readonly filter: TaskFilter
  readonly run_at?: string
  readonly changes?: Readonly<Record<string, unknown>>
}

/** The operation that is under way, for the part of the page that shows its progress. */
export const running = signal<Operation | null>(null)

const lookMs = 300

const words: Readonly<Record<BulkAction, { readonly title: string; readonly done: string }>> = {
  retry: { title: 'Retry', done: 'queued again' },
  cancel: { title: 'Cancel', done: 'cancelled' },
  kill: { title: 'Kill', done: 'killed' },
  delete: { title: 'Delete', done: 'deleted' },
  move: { title: 'Move', done: 'moved' },
  amend: { title: 'Change', done: 'changed' },
}

/** Does something to all tasks that match, after asking, with the count; true if it was done. */
export async function operate(bulk: Bulk): Promise<boolean> {
  try {
    const { title, done } = words[bulk.action]
    const counted = await countOf(bulk)
    if (counted.count === 0) {
      toast(`None of these tasks can be ${done}.`)
      return false
    }
    const tasks = `${counted.exact ? '' : 'more than '}${plural(counted.count, 'task')}`
    const isSure = await confirm({
      title: `${title} ${tasks}?`,
      text: consequence(bulk.action, tasks),
      action: `${title} ${tasks}`,
      danger: ['delete', 'cancel', 'kill'].includes(bulk.action),
    })
    if (!isSure) return false
    const { id } = await api.post<Operation>('/operations', bulk)
    tell(bulk.action, await follow(id))
    return true
  } catch (error) {
    toastError(error)
    return false
  } finally {
    running.value = null
  }
}

export async function cancelOperation(id: string): Promise<void> {
  await api.post(`/operations/${id}/cancel`).catch(toastError)
}

/** As the engine counts it: those that the action is for. */
async function countOf(bulk: Bulk): Promise<Counted> {
  return api.post<Counted>('/operations', { ...bulk, dry_run: true })
}

function consequence(action: BulkAction, tasks: string): string {
  switch (action) {
    case 'retry':
      return `${tasks} will be queued again, with all their attempts.`
    case 'cancel':
      return `${tasks} will not run; those that run now are stopped.`
    case 'kill':
      return `${tasks} will fail for good, whatever attempts are left; what runs is stopped.`
    case 'delete':
      return `${tasks} will be gone, with their output and history. This cannot be undone.`
    case 'move':
      return `${tasks} will wait for the time that you gave.`
    case 'amend':
      return `${tasks} will be changed.`
  }
}

async function follow(id: string): Promise<Operation> {
  for (;;) {
    const operation = await api.get<Operation>(`/operations/${id}`)
    running.value = operation
    if (operation.state !== 'running') return operation
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}

function tell(action: BulkAction, { done, refused, state, error }: Operation): void {
  const text = `${plural(done, 'task')} ${words[action].done}.`
  const hint = refused > 0 ? `${plural(refused, 'task')} could not be.` : undefined
  if (state === 'failed') toast(error ?? 'The operation failed.', { tone: 'bad', hint: text })
  else toast(state === 'cancelled' ? `Stopped: ${text}` : text, { tone: 'good', hint })
}
