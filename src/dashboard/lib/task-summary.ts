import type { Json, Task } from '../model.ts'

const longest = 200

/** The SQL of a task, or null. */
export function sqlOf({ kind, payload }: Pick<Task, 'kind' | 'payload'>): string | null {
  if (kind !== 'sql') return null
  const sql = property(payload, 'sql')
  return typeof sql === 'string' ? sql : null
}

/** What a task is about, in one line. */
export function summaryOf(task: Task): string {
  const sql = sqlOf(task)
  if (sql !== null) return cut(sql.replaceAll(/\s+/g, ' ').trim())
  const statement = task.kind === 'sql' ? property(task.payload, 'statement') : undefined
  if (typeof statement === 'string') return `statement ${statement}`
  const text = JSON.stringify(task.payload)
  return text === '{}' || text === 'null' ? '' : cut(text)
}

/** What an error says, whatever shape it has. */
export function errorMessageOf({ error, reason }: Pick<Task, 'error' | 'reason'>): string | null {
  if (error === null) return reason
  return typeof error.message === 'string' ? error.message : JSON.stringify(error)
}

export function property(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return (value as Readonly<Record<string, Json>>)[name]
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
