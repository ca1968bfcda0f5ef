import type { Queryable } from '../../../src/db/queryable.ts'
import type { BoundVerbs } from '../test-engine.ts'

/** The verbs that a caller reaches in more than one way. */
export const doorVerbs = [
  'enqueue',
  'enqueueMany',
  'claim',
  'extend',
  'complete',
  'completeMany',
  'fail',
  'reject',
  'kill',
  'release',
  'reschedule',
  'cancel',
  'cancelMany',
  'killRunning',
  'retry',
  'move',
  'amend',
  'delete',
  'deleteMany',
] as const satisfies readonly (keyof BoundVerbs)[]

export type DoorVerb = (typeof doorVerbs)[number]
export type DoorVerbs = Pick<BoundVerbs, DoorVerb>

/** What a door gets to work with: the connection of the caller, the schema, and the verbs of src/engine on both. */
export interface Behind {
  readonly db: Queryable
  readonly schema: string
  readonly verbs: BoundVerbs
}

/**
 * A way to the engine. It gives those verbs that it reaches in a way of its own; the others are called as
 * src/engine calls them.
 */
export type Door = (behind: Behind) => Partial<DoorVerbs>
