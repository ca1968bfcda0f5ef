import type { Json } from '../../engine/task.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import { describeIssues } from '../../tasks/standard-schema.ts'

/** The payload does not match the handler's schema. A retry would not change that. */
export class PayloadInvalid extends Error {
  override readonly name = 'PayloadInvalid'
  readonly code = 'invalid_payload'
}

/**
 * Upgrades a payload of an older version and validates it. Returns it unchanged if there is neither lift nor schema.
 */
export async function preparePayload(
  task: AnyTask,
  version: number,
  payload: Json,
): Promise<unknown> {
  const lifted = await lift(task, version, payload)
  if (task.schema === undefined) return lifted
  const result = await task.schema['~standard'].validate(lifted)
  if (result.issues === undefined) return result.value
  throw new PayloadInvalid(describeIssues(result.issues))
}

/** Whether the payload needs no preparation. Most tasks do not, and can start synchronously. */
export function isReady(task: AnyTask, version: number): boolean {
  return task.schema === undefined && version === (task.version ?? 1)
}

async function lift(task: AnyTask, version: number, payload: Json): Promise<Json> {
  let lifted = payload
  for (let from = version; from < (task.version ?? 1); from++) {
    const step = task.lift?.[from]
    if (step === undefined) {
      throw new PayloadInvalid(`${task.name} cannot lift a payload of version ${from}`)
    }
    lifted = await step(lifted)
  }
  return lifted
}
