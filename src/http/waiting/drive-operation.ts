import { setTimeout as pause } from 'node:timers/promises'
import type { HttpContext } from '../http-context.ts'

const pauseMs = 200

/** Advances operations in the background. What it leaves undone the chore `operations` goes on with. */
export class OperationDriver {
  readonly #context: HttpContext
  readonly #driven = new Set<string>()

  constructor(context: HttpContext) {
    this.#context = context
  }

  drive(id: string): void {
    if (this.#driven.has(id)) return
    this.#driven.add(id)
    void this.#toItsEnd(id).finally(() => this.#driven.delete(id))
  }

  async #toItsEnd(id: string): Promise<void> {
    const { verbs, writes, closing, logger } = this.#context
    try {
      let matched = -1
      while (!closing.aborted) {
        const operation = await verbs.advanceOperation(writes, id)
        if (operation.state !== 'running') return
        // Another has it in hand, or its tasks are far apart.
        if (operation.matched === matched) await pause(pauseMs, undefined, { signal: closing })
        matched = operation.matched
      }
    } catch (err) {
      if (!closing.aborted)
        logger.warn({ err, operation: id }, 'cannot advance an operation; a chore goes on with it')
    }
  }
}
