import type { Json } from '../engine/task.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import type { Chore, ChoreResult } from './chore.ts'
import { openContext, openOnce } from './open-context.ts'
import type { ChoreTools, Grant } from './strategies/strategy.ts'

/** What became of one run; `stuck` has not ended although it was asked to stop. */
export type Ending =
  | { readonly kind: 'done'; readonly tookMs: number; readonly result: ChoreResult }
  | { readonly kind: 'failed'; readonly tookMs: number; readonly error: unknown }
  | { readonly kind: 'stuck'; readonly tookMs: number; readonly settled: Promise<unknown> }

/** One run that can be asked to stop. */
export class OneRun {
  readonly ending: Promise<Ending>
  readonly #controller = new AbortController()
  #isTold: () => void = () => {}

  constructor(tools: ChoreTools, chore: Chore, grant: Grant) {
    this.ending = this.#run(tools, chore, grant)
  }

  /** Aborts its signal; if it does not end within the grace, it is stuck. */
  tellToStop(reason: unknown): void {
    this.#controller.abort(reason)
    this.#isTold()
  }

  async #run(tools: ChoreTools, chore: Chore, grant: Grant): Promise<Ending> {
    const begunMs = monotonicMs()
    const late = new Error(`the run took longer than ${chore.timeoutMs} ms`)
    const timer = setTimeout(() => this.tellToStop(late), chore.timeoutMs)
    const onLost = () => this.tellToStop(grant.signal.reason)
    grant.signal.addEventListener('abort', onLost, { once: true })
    if (grant.signal.aborted) onLost()
    const context = openContext(tools, chore, grant, this.#controller.signal)
    const settled = attempt(() => chore.run(context, openOnce(tools, chore, grant, context)))
    const stuck = this.#afterGrace(tools.graceMs)
    const outcome = await Promise.race([settled, stuck.promise])
    stuck.cancel()
    clearTimeout(timer)
    grant.signal.removeEventListener('abort', onLost)
    const tookMs = monotonicMs() - begunMs
    return outcome === undefined ? { kind: 'stuck', tookMs, settled } : { ...outcome, tookMs }
  }

  /** Resolves to undefined when the grace period after the request to stop is over. */
  #afterGrace(graceMs: number): { promise: Promise<undefined>; cancel: () => void } {
    let timer: NodeJS.Timeout | undefined
    const promise = new Promise<undefined>((resolve) => {
      this.#isTold = () => {
        timer ??= setTimeout(resolve, graceMs, undefined)
      }
      if (this.#controller.signal.aborted) this.#isTold()
    })
    return { promise, cancel: () => clearTimeout(timer) }
  }
}

type Outcome =
  | { readonly kind: 'done'; readonly result: ChoreResult }
  | { readonly kind: 'failed'; readonly error: unknown }

async function attempt(run: () => ReturnType<Chore['run']>): Promise<Outcome> {
  try {
    return { kind: 'done', result: (await run()) ?? { processed: 0 } }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** What jsonb does not take: NUL and halves of characters. */
const unstorable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** An error as it is kept with the chore. */
export function describeFailure(error: unknown): Json {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 2_000) }
  const { code } = error as { code?: unknown }
  return {
    name: error.name,
    message: error.message.replaceAll(unstorable, '\ufffd').slice(0, 2_000),
    ...(typeof code === 'string' ? { code } : {}),
  }
}
