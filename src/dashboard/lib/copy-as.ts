import type { Task } from '../model.ts'
import { sqlOf } from './task-summary.ts'

/** The same task once more, as a statement for psql. */
export function asSql(task: Task, schema: string): string {
  const sql = sqlOf(task)
  const place = /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : `"${schema.replaceAll('"', '""')}"`
  const handler = ownHandler(task)
  const named: Readonly<Record<string, string | null>> = {
    p_handler: handler === null ? null : literal(handler),
    p_kind: task.kind === 'handler' ? null : literal(task.kind),
    p_priority: task.priority === 0 ? null : String(task.priority),
    p_key: task.key === null ? null : literal(task.key),
    p_groups: task.groups === null ? null : array(task.groups),
    p_tags: task.tags === null ? null : array(task.tags),
  }
  const isPlainSql = sql !== null && Object.keys(Object(task.payload)).length === 1
  if (isPlainSql && task.key === null && task.groups === null && task.tags === null) {
    const queue = task.queue === 'sql' ? '' : `, ${literal(task.queue)}`
    return `select ${place}.sql(${literal(sql)}${queue});`
  }
  const given = Object.entries(named).flatMap(([name, value]) =>
    value === null ? [] : [`${name} => ${value}`],
  )
  const args = [literal(task.queue), literal(JSON.stringify(task.payload)), ...given]
  return `select * from ${place}.enqueue(${args.join(', ')});`
}

/** The same for a shell. */
export function asCommand(task: Task): string {
  const sql = sqlOf(task)
  const isPlainSql = sql !== null && Object.keys(Object(task.payload)).length === 1
  if (isPlainSql) {
    return [
      'tusk sql',
      quoted(sql),
      ...option('queue', task.queue === 'sql' ? null : task.queue),
    ].join(' ')
  }
  return [
    'tusk task add',
    quoted(task.queue),
    ...option('payload', JSON.stringify(task.payload)),
    ...option('handler', ownHandler(task)),
    ...option('kind', task.kind === 'handler' ? null : task.kind),
    ...option('key', task.key),
    ...option('priority', task.priority === 0 ? null : String(task.priority)),
    ...(task.groups ?? []).flatMap((group) => option('group', group)),
    ...(task.tags ?? []).flatMap((tag) => option('tag', tag)),
  ].join(' ')
}

/** The same over HTTP; the token stays a variable, so that people do not paste their token into a chat. */
export function asCurl(task: Task, url: string): string {
  const body = {
    queue: task.queue,
    payload: task.payload,
    // What is undefined is left out of JSON.
    kind: task.kind === 'handler' ? undefined : task.kind,
    handler: ownHandler(task) ?? undefined,
    key: task.key ?? undefined,
    priority: task.priority || undefined,
    groups: task.groups ?? undefined,
    tags: task.tags ?? undefined,
  }
  return [
    `curl -X POST ${quoted(url)}`,
    '-H "authorization: Bearer $TUSK_TOKEN"',
    `-H 'content-type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

/** A handler that is named like its queue need not be said. */
function ownHandler({ handler, queue }: Task): string | null {
  return handler === queue ? null : handler
}

function literal(text: string): string {
  const escaped = text.replaceAll("'", "''")
  // A backslash means itself only where standard_conforming_strings is on, as it nearly always is.
  return escaped.includes('\\') ? `E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`
}

function array(values: readonly string[]): string {
  return `array[${values.map(literal).join(', ')}]`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function option(name: string, value: string | null): string[] {
  return value === null ? [] : [`--${name} ${quoted(value)}`]
}
