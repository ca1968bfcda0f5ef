import type { Json } from '../engine/task.ts'
import { snakeCase } from '../lib/casing.ts'
import { toInterval } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import { backoffInSql } from './backoff-in-sql.ts'
import { checkPayload } from './check-payload.ts'
import type { AnyTask } from './define-task.ts'
import { encodeJson } from './encode-json.ts'
import { defaultsOf, type RawTask, withoutUndefined } from './enqueue-options.ts'
import type { Planning } from './schedule-settings.ts'

type Definitions = ReadonlyMap<string, AnyTask>

/** The settings of a schedule, whatever the client's tasks are. */
interface AnySettings extends Planning {
  readonly task?: { readonly name?: string } | undefined
}

/** The settings that are durations. A number counts milliseconds. */
const spans = new Set(['every', 'jitter', 'misfireAfter', 'keep', 'timeout', 'retention', 'window'])

/**
 * Converts settings to what set_schedule() takes. A declared task adds the options of its definition, and its payload
 * is validated against its schema. The engine checks everything else.
 */
export async function scheduleInSql(
  settings: object,
  definitions: Definitions,
): Promise<Record<string, Json>> {
  const { task, ...planning } = settings as AnySettings
  const inSql = encoded('settings', sqlNames(planning))
  if (task === undefined) return inSql
  return { ...inSql, task: await templateOf(task, definitions) }
}

/** Converts schedules to what apply_schedules() takes. */
export async function schedulesInSql(
  schedules: Readonly<Record<string, object>>,
  definitions: Definitions,
): Promise<Record<string, Json>> {
  const inSql: Record<string, Json> = {}
  for (const [name, settings] of Object.entries(schedules)) {
    inSql[name] = await scheduleInSql(settings, definitions)
  }
  return inSql
}

async function templateOf(
  { name, ...options }: { readonly name?: string },
  definitions: Definitions,
): Promise<Json> {
  const definition = name === undefined ? undefined : declared(name, definitions)
  const raw = {
    ...(definition === undefined ? {} : withoutUndefined(defaultsOf(definition))),
    ...withoutUndefined(options),
  } as RawTask
  const { payload = {}, ...rest } = raw
  const json = encodeJson('payload', payload)
  if (definition?.schema !== undefined && (raw.version ?? 1) === (definition.version ?? 1)) {
    await checkPayload(definition.name, definition.schema, json)
  }
  return { ...encoded('task', sqlNames(rest)), payload: JSON.parse(json) as Json }
}

function declared(name: string, definitions: Definitions): AnyTask {
  const definition = definitions.get(name)
  if (definition !== undefined) return definition
  const known = [...definitions.keys()]
  throw new TuskError('invalid_argument', `no task is named ${JSON.stringify(name)}`, {
    hint: `${known.length === 0 ? 'None is declared' : `Declared are ${known.join(', ')}`}; for others give a queue instead of a name.`,
  })
}

/** Converts names to those of SQL (`startsAt` to `starts_at`). A number in a duration counts milliseconds. */
function sqlNames(given: object): object {
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    name === 'backoff'
      ? backoffInSql(value)
      : spans.has(name) && typeof value === 'number'
        ? toInterval(name, value)
        : value,
  ])
  return snakeCase(Object.fromEntries(entries))
}

function encoded(what: string, value: object): Record<string, Json> {
  return JSON.parse(encodeJson(what, value)) as Record<string, Json>
}
