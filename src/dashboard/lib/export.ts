import { api } from '../api.ts'
import type { Json, Page, Task } from '../model.ts'
import type { TaskFilter } from './task-filter.ts'

/** More than this belongs into psql. */
export const mostExported = 10_000
const pageSize = 500

const columns = [
  'id',
  'state',
  'reason',
  'queue',
  'kind',
  'handler',
  'key',
  'groups',
  'tags',
  'priority',
  'attempt',
  'max_attempts',
  'submitted_by',
  'created_at',
  'run_at',
  'started_at',
  'finished_at',
  'worker',
  'payload',
  'output',
  'error',
] as const satisfies readonly (keyof Task)[]

/** All tasks that match, page by page, up to a limit. */
export async function tasksFor(filter: TaskFilter): Promise<Task[]> {
  const tasks: Task[] = []
  let cursor: string | null = null
  do {
    const query = { ...filter, cursor, limit: pageSize }
    const page: Page<Task> = await api.get<Page<Task>>('/tasks', query)
    tasks.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null && tasks.length < mostExported)
  return tasks.slice(0, mostExported)
}

export function toJson(tasks: readonly Task[]): string {
  return JSON.stringify(tasks, null, 2)
}

export function toCsv(tasks: readonly Task[]): string {
  const lines = tasks.map((task) => columns.map((column) => cell(task[column])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

/** Has the browser keep it as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text =
    typeof value === 'object' ? JSON.stringify(value satisfies object as Json) : String(value)
  // A spreadsheet would run a cell that begins like a formula.
  const harmless = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
