import type { NewChild } from '../../../engine/durable.ts'
import type { Json } from '../../../engine/task.ts'
import { snakeCase } from '../../../lib/casing.ts'
import { toInterval } from '../../../lib/duration.ts'
import { checkPayload } from '../../../tasks/check-payload.ts'
import type { AnyTask } from '../../../tasks/define-task.ts'
import type { SpawnOptions } from '../../../tasks/durable.ts'
import { encodeJson } from '../../../tasks/encode-json.ts'
import { defaultsOf, withoutUndefined } from '../../../tasks/enqueue-options.ts'

/** Builds a child from the options of its definition and those of the parent, which take precedence. */
export async function newChild(
  task: string | AnyTask,
  payload: unknown,
  options: SpawnOptions,
): Promise<NewChild> {
  const definition: AnyTask = typeof task === 'string' ? { name: task } : task
  const { as = definition.name, isDetached = false, ...given } = options
  const json = encodeJson('payload', payload === undefined ? {} : payload)
  if (definition.schema !== undefined) await checkPayload(definition.name, definition.schema, json)
  const { timeout, retention, window, runAt, deadline, ...rest } = {
    ...withoutUndefined(defaultsOf(definition)),
    ...withoutUndefined(given),
  }
  const whole = withoutUndefined({
    ...rest,
    timeout: toInterval('timeout', timeout),
    retention: toInterval('retention', retention),
    window: toInterval('window', window),
    runAt: runAt?.toISOString(),
    deadline: deadline?.toISOString(),
  })
  // Converts only the names of the task's properties. Payload, meta and backoff stay as they are.
  const row = snakeCase(whole) as Readonly<Record<string, Json>>
  return {
    name: as,
    task: { ...row, payload: JSON.parse(json) as Json },
    isDetached,
  }
}
