import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Checkpoint } from '../../engine/durable.ts'
import { leaseLostError } from '../../runners/lease-errors.ts'

const mostAtOnce = 500

interface Waiting {
  readonly steps: readonly Checkpoint[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Stores checkpoints of all runs of a worker, many with one statement: those that come while a statement is under
 * way go with the next.
 *
 * The next is sent a turn of the event loop later. By then the handlers whose steps were just stored have come to their
 * next steps. Without that turn, ten handlers take turns of one and nine, and half of all statements hold one step.
 */
export class StepWriter {
  /** Answers with the ids whose claims are lost. */
  readonly #store: (steps: readonly Checkpoint[]) => Promise<readonly string[]>
  #waiting: Waiting[] = []
  #isWriting: boolean = false

  constructor(store: (steps: readonly Checkpoint[]) => Promise<readonly string[]>) {
    this.#store = store
  }

  /** Resolves when the steps of one task are stored. */
  save(steps: readonly Checkpoint[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ steps, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      await this.#write(this.#waiting.splice(0, mostAtOnce))
      await nextTurn()
    }
    this.#isWriting = false
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const lost = new Set(await this.#store(batch.flatMap(({ steps }) => steps)))
      for (const { steps, resolve, reject } of batch) {
        const id = steps[0]?.id ?? ''
        if (lost.has(id)) reject(leaseLostError(id))
        else resolve()
      }
    } catch (error) {
      const [only] = batch
      if (batch.length === 1) only?.reject(error)
      // One of them was refused, and all with it: the others are stored without it.
      else for (const each of batch) await this.#write([each])
    }
  }
}
