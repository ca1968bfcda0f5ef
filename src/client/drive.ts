import { setTimeout as pause } from 'node:timers/promises'
import type { Operation as OperationRow } from '../engine/bulk.ts'
import type { CamelCase } from '../lib/casing.ts'

/** Something done to all tasks that match a filter, and how far it has come. */
export interface Operation extends CamelCase<OperationRow> {}

/** An operation that was started, to be driven, watched or stopped. */
export interface OperationHandle extends AsyncIterable<Operation> {
  readonly id: string
  /** Drives it to its end and tells how it ended; look at its `state`. */
  wait(): Promise<Operation>
  /** It goes no further; what it did stays done. */
  cancel(): Promise<void>
}

interface Driving {
  readonly id: string
  /** Does a page, unless another does. */
  readonly advance: () => Promise<Operation>
  readonly cancel: () => Promise<void>
  readonly signal: AbortSignal | undefined
}

/** How long to leave it to another who drives it. */
const restMs = 250

/** A handle by which an operation is driven, a page with each step. */
export function driven(driving: Driving): OperationHandle {
  return {
    id: driving.id,
    cancel: driving.cancel,
    [Symbol.asyncIterator]: () => steps(driving),
    wait: async () => {
      for await (const operation of steps(driving)) {
        if (operation.state !== 'running') return operation
      }
      throw new Error(`operation ${driving.id} has no end`)
    },
  }
}

/** How it stands after each page, the end included. Whoever stops early leaves the rest to the chore. */
async function* steps({ advance, signal }: Driving): AsyncGenerator<Operation, void, undefined> {
  for (let before = 0; ; ) {
    signal?.throwIfAborted()
    const operation = await advance()
    yield operation
    if (operation.state !== 'running') return
    const at = operation.advancedAt.getTime()
    if (at === before) await pause(restMs, undefined, { signal })
    before = at
  }
}
