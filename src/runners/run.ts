import type { ClaimedRow } from '../engine/claim-batch.ts'
import { Aborted } from '../tasks/aborted.ts'
import type { AbortReason } from '../tasks/context.ts'

/** Longer delays overflow a timer and fire at once. */
const longestTimerMs = 2_147_483_647

/**
 * One attempt at one task, from its start to its outcome: what was claimed, whether it must stop, and
 * whether its own transaction has completed it already.
 */
export class Run {
  readonly row: ClaimedRow
  /** Its transaction has completed it: whatever the handler does now, there is nothing to report. */
  isCommitted: boolean = false
  /** It has given up its claim and waits: whatever the handler does now counts for nothing. */
  isSuspended: boolean = false
  /** Told when it waits: its handler will not go on. */
  onSuspend: (() => void) | undefined
  /** What a durable task must still store when its handler has ended; most runs have nothing. */
  finish: (() => Promise<void>) | undefined
  /** Told once, when the handler must stop. */
  onAbort: ((aborted: Aborted) => void) | undefined
  #aborted: Aborted | undefined
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver: boolean = false

  constructor(row: ClaimedRow) {
    this.row = row
  }

  get aborted(): Aborted | undefined {
    return this.#aborted
  }

  /** Made when somebody asks for it: most handlers never do. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted)
    return this.#controller.signal
  }

  /** The time a run may take counts from here, not from the claim. */
  begin(timeoutMs: number | null): void {
    if (timeoutMs === null) return
    this.#timer = setTimeout(() => this.abort('timeout'), Math.min(timeoutMs, longestTimerMs))
  }

  /** Its outcome is known; tells whether it was not before. */
  end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    this.onAbort = undefined
    return true
  }

  suspend(): void {
    this.isSuspended = true
    this.onSuspend?.()
  }

  /** The first reason stands. */
  abort(reason: AbortReason): void {
    if (this.#aborted !== undefined) return
    this.#aborted = new Aborted(reason)
    clearTimeout(this.#timer)
    this.#controller?.abort(this.#aborted)
    this.onAbort?.(this.#aborted)
  }
}
