import { type Signal, signal } from '@preact/signals'
import { parseExact } from '../../lib/exact.ts'
import { property } from '../../lib/task-summary.ts'
import type { Json } from '../../model.ts'
import type { Template } from '../schedules/schedule-model.ts'

/** A task as it is being written. */
export interface TaskDraft {
  /** What was there before; what no box shows of it stays. */
  readonly before: Template
  readonly kind: Signal<string>
  readonly queue: Signal<string>
  readonly sql: Signal<string>
  /** A registered statement, instead of the text. */
  readonly statement: Signal<string>
  readonly params: Signal<string>
  readonly connection: Signal<string>
  readonly role: Signal<string>
  readonly handler: Signal<string>
  readonly payload: Signal<string>
  readonly key: Signal<string>
  readonly tags: Signal<string>
  readonly groups: Signal<string>
  readonly priority: Signal<string>
  readonly max_attempts: Signal<string>
  readonly timeout: Signal<string>
}

export function taskDraft(before: Template = {}, kind = 'sql'): TaskDraft {
  const text = (name: string) => textOf(before[name])
  const payload = before['payload'] ?? null
  const within = (name: string) => textOf(property(payload, name))
  const connection = property(payload, 'connection')
  return {
    before,
    kind: signal(text('kind') || (before['queue'] === undefined ? kind : 'handler')),
    queue: signal(text('queue')),
    sql: signal(within('sql')),
    statement: signal(within('statement')),
    params: signal(within('params')),
    connection: signal(typeof connection === 'string' ? connection : ''),
    role: signal(within('role')),
    handler: signal(text('handler')),
    payload: signal(payload === null ? '{}' : JSON.stringify(payload, null, 2)),
    key: signal(text('key')),
    tags: signal(listOf(before['tags'])),
    groups: signal(listOf(before['groups'])),
    priority: signal(text('priority')),
    max_attempts: signal(text('max_attempts')),
    timeout: signal(text('timeout')),
  }
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function listOf(value: Json | undefined): string {
  return Array.isArray(value) ? value.join(', ') : ''
}

/** A text in a box that is to be JSON and is none. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

/** As POST /tasks and schedules take it; throws NotJson. */
export function taskOf(draft: TaskDraft): Template {
  const number = ({ value }: Signal<string>) => (value.trim() === '' ? null : Number(value))
  const line = ({ value }: Signal<string>) => (value.trim() === '' ? null : value.trim())
  const list = ({ value }: Signal<string>) => {
    const all = value.split(',').map((one) => one.trim())
    const given = all.filter((one) => one !== '')
    return given.length === 0 ? null : given
  }
  const kind = draft.kind.value
  return withoutNulls({
    ...draft.before,
    kind,
    queue: line(draft.queue) ?? (kind === 'sql' ? 'sql' : null),
    handler: kind === 'handler' ? line(draft.handler) : null,
    payload: kind === 'sql' ? sqlPayload(draft) : parse(draft.payload.value, 'The payload'),
    key: line(draft.key),
    tags: list(draft.tags),
    groups: list(draft.groups),
    priority: number(draft.priority),
    max_attempts: number(draft.max_attempts),
    timeout: line(draft.timeout),
  })
}

function sqlPayload(draft: TaskDraft): Json {
  const kept = objectOf(draft.before['payload'])
  const isRegistered = draft.statement.value !== ''
  const params = draft.params.value.trim()
  return withoutNulls({
    ...kept,
    sql: isRegistered ? null : draft.sql.value,
    statement: isRegistered ? draft.statement.value : null,
    params: isRegistered && params !== '' ? parse(params, 'The parameters') : null,
    connection: isRegistered ? null : draft.connection.value.trim() || null,
    role: isRegistered ? null : draft.role.value.trim() || null,
  })
}

function objectOf(value: Json | undefined): Template {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Template) : {}
}

function withoutNulls(values: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

function parse(text: string, what: string): Json {
  try {
    // As it was written: whether a number can be kept, the server says.
    return text.trim() === '' ? null : parseExact(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new NotJson(`${what} is not JSON: ${why}`, { cause: error })
  }
}
