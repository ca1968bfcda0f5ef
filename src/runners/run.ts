import type { ClaimedRow } from '../engine/claim-batch.ts'
import { Aborted } from '../tasks/aborted.ts'
import type { AbortReason } from '../tasks/context.ts'

/** The longest time that a timer can wait. Longer ones fire at once. */
const longestTimerMs = 2_147_483_647

/**
 * One attempt at one task, from start to outcome: what was claimed, whether it must stop, and whether its own
 * transaction has completed it.
 */
export class Run {
  readonly row: ClaimedRow
  /** Its transaction has completed it. Whatever the handler does now, there is nothing to report. */
  isCommitted: boolean = false
  /** It has released its claim and waits. Whatever the handler does now is ignored. */
  isSuspended: boolean = false
  /** Called when it starts to wait: its handler will not continue. */
  onSuspend: (() => void) | undefined
  /** What a durable task must store after its handler has ended. Most runs have nothing. */
  finish: (() => Promise<void>) | undefined
  /** Called once, when the handler must stop. */
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

  /** Created on first use, because most handlers never ask for it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted)
    return this.#controller.signal
  }

  /** The timeout of a run counts from here, not from the claim. */
  begin(timeoutMs: number | null): void {
    if (timeoutMs === null) return
    this.#timer = setTimeout(() => this.abort('timeout'), Math.min(timeoutMs, longestTimerMs))
  }

  /** Marks the outcome as known. Returns false if it was known before. */
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

  /** The first reason wins. */
  abort(reason: AbortReason): void {
    if (this.#aborted !== undefined) return
    this.#aborted = new Aborted(reason)
    clearTimeout(this.#timer)
    this.#controller?.abort(this.#aborted)
    this.onAbort?.(this.#aborted)
  }
}
