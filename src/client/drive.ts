import { setTimeout as pause } from 'node:timers/promises'
import type { Operation as OperationRow } from '../engine/bulk.ts'
import type { CamelCase } from '../lib/casing.ts'

/** An operation on all tasks that match a filter, and its progress. */
export interface Operation extends CamelCase<OperationRow> {}

/** A handle on a started operation: drive it, watch it or cancel it. */
export interface OperationHandle extends AsyncIterable<Operation> {
  readonly id: string
  /** Drives the operation to its end and returns its last state. Check `state`. */
  wait(): Promise<Operation>
  /** Stops the operation. What it has done stays done. */
  cancel(): Promise<void>
}

interface Driving {
  readonly id: string
  /** Does one page, unless another process is doing one. */
  readonly advance: () => Promise<Operation>
  readonly cancel: () => Promise<void>
  readonly signal: AbortSignal | undefined
}

/** How long to pause while another process drives the operation. */
const restMs = 250

/** Returns a handle that does one page per step. */
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

/** Yields the state after each page, the last one included. If the caller stops early, a chore does the rest. */
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
