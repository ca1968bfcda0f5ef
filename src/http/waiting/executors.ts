import type { ClaimOptions } from '../../engine/claiming.ts'
import type { HttpContext } from '../http-context.ts'

/** An executor gives a sign so often, well within the minute after which it is forgotten. */
const signEveryMs = 20_000
/** A queue that it no longer asks for is forgotten after so long. */
const forgetQueueMs = 60_000
/** Names are the caller's: one that makes up many must not fill the table of workers. */
const mostExecutors = 1_000

/** Who claims, and what. */
export interface ClaimingExecutor extends Pick<ClaimOptions, 'kinds' | 'handlers' | 'versions'> {
  readonly id: string
  readonly queue: string
  readonly limit: number
  readonly host: string
  readonly version: string
}

interface Known {
  readonly queues: Map<string, { readonly claim: ClaimingExecutor; atMs: number }>
  saidMs: number
  said: string
}

/**
 * Shows those who claim over HTTP among the workers: when they begin, when what they ask for changes, and
 * now and then, never with each claim.
 */
export class Executors {
  readonly #context: Pick<HttpContext, 'verbs' | 'writes' | 'logger'>
  readonly #known = new Map<string, Known>()

  constructor(context: Pick<HttpContext, 'verbs' | 'writes' | 'logger'>) {
    this.#context = context
  }

  /** Returns at once: a claim does not wait for it. */
  sees(claim: ClaimingExecutor): void {
    const nowMs = performance.now()
    const known = this.#known.get(claim.id) ?? this.#meet(claim.id, nowMs)
    if (known === undefined) return
    known.queues.set(claim.queue, { claim, atMs: nowMs })
    for (const [queue, { atMs }] of known.queues) {
      if (nowMs - atMs > forgetQueueMs) known.queues.delete(queue)
    }
    const claims = [...known.queues.values()].map((one) => one.claim)
    const says = JSON.stringify(claims)
    if (says === known.said && nowMs - known.saidMs < signEveryMs) return
    known.said = says
    known.saidMs = nowMs
    const { verbs, writes, logger } = this.#context
    verbs.registerExecutor(writes, claims).catch((err: unknown) => {
      // Said again with the next claim.
      known.said = ''
      logger.debug({ err, worker: claim.id }, 'an executor could not be registered')
    })
  }

  #meet(id: string, nowMs: number): Known | undefined {
    if (this.#known.size >= mostExecutors) {
      for (const [other, { saidMs }] of this.#known) {
        if (nowMs - saidMs > forgetQueueMs) this.#known.delete(other)
      }
      if (this.#known.size >= mostExecutors) return undefined
    }
    const known: Known = { queues: new Map(), saidMs: 0, said: '' }
    this.#known.set(id, known)
    return known
  }
}
