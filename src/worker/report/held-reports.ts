import { monotonicMs } from '../../lib/monotonic.ts'
import type { Ended } from './reports.ts'

const firstPauseMs = 50
const longestPauseMs = 1_000

interface Bundle {
  readonly ends: readonly Ended[]
  /** How often it, or the bundle it was a part of, has met a held row. */
  readonly failures: number
  readonly dueMs: number
}

export interface HeldReportsOptions {
  /** Reports them, waiting for no row for long; what meets a held row comes back by put(). */
  readonly report: (ends: readonly Ended[], failures: number) => Promise<void>
}

/**
 * Outcomes whose rows another transaction holds. They are reported again and again, apart from all others. Outcomes
 * that were refused together are sorted by queue and groups first, then halved each time, so that those that only
 * kept company with a blocked one are stored soon.
 */
export class HeldReports {
  readonly #report: HeldReportsOptions['report']
  #bundles: Bundle[] = []
  #reporting = 0
  #loop: Promise<void> | undefined
  #isGivenUp: boolean = false
  #isNewestFirst: boolean = true
  #stirred: (() => void) | undefined

  constructor({ report }: HeldReportsOptions) {
    this.#report = report
  }

  get size(): number {
    return this.#bundles.reduce((sum, { ends }) => sum + ends.length, this.#reporting)
  }

  put(ends: readonly Ended[], failures: number): void {
    const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)
    const dueMs = failures === 0 ? 0 : monotonicMs() + pauseMs
    for (const part of failures === 0 ? sorted(ends) : halves(ends)) {
      this.#bundles.push({ ends: part, failures, dueMs })
    }
    this.#stirred?.()
    this.#start()
  }

  /** Takes over outcomes of groups that are blocked, which would only hold up the others; gives the others. */
  divert(ends: readonly Ended[]): readonly Ended[] {
    const blocked = new Set(
      this.#bundles.flatMap(({ ends: [first], failures }) =>
        failures > 0 ? (first?.task.row.groups ?? []) : [],
      ),
    )
    if (blocked.size === 0) return ends
    const isBlocked = ({ task }: Ended) => task.row.groups?.some((group) => blocked.has(group))
    const diverted = ends.filter(isBlocked)
    if (diverted.length > 0) this.put(diverted, 0)
    return ends.filter((end) => !isBlocked(end))
  }

  /** Resolves when all were reported, or given up. */
  async allReported(): Promise<void> {
    while (this.#loop !== undefined) await this.#loop
  }

  giveUp(): void {
    this.#isGivenUp = true
    this.#stirred?.()
  }

  #start(): void {
    this.#loop ??= this.#run().finally(() => {
      this.#loop = undefined
      // Something may have been put between the last look and now.
      if (this.#bundles.length > 0 && !this.#isGivenUp) this.#start()
    })
  }

  async #run(): Promise<void> {
    while (this.#bundles.length > 0 && !this.#isGivenUp) {
      const bundle = this.#next()
      if (bundle === undefined) {
        await this.#pause()
        continue
      }
      this.#reporting = bundle.ends.length
      await this.#report(bundle.ends, bundle.failures + 1)
      this.#reporting = 0
    }
  }

  /** In turn the one that was tried least and the one that has waited longest: neither can starve the other. */
  #next(): Bundle | undefined {
    const nowMs = monotonicMs()
    const due = this.#bundles.filter(({ dueMs }) => dueMs <= nowMs)
    this.#isNewestFirst = !this.#isNewestFirst
    const order = this.#isNewestFirst
      ? (one: Bundle, other: Bundle) => one.failures - other.failures
      : (one: Bundle, other: Bundle) => one.dueMs - other.dueMs
    const next = due.sort(order)[0]
    if (next !== undefined) this.#bundles = this.#bundles.filter((bundle) => bundle !== next)
    return next
  }

  /** Until the next is due, or something is put or given up. */
  async #pause(): Promise<void> {
    const firstMs = Math.min(...this.#bundles.map(({ dueMs }) => dueMs))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, firstMs - monotonicMs()))
      this.#stirred = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#stirred = undefined
  }
}

/** Tasks of the same queue and groups share the rows that are held longest. */
function sorted(ends: readonly Ended[]): (readonly Ended[])[] {
  const bundles = new Map<string, Ended[]>()
  for (const end of ends) {
    const { queue, groups } = end.task.row
    const name = JSON.stringify([queue, groups])
    const alike = bundles.get(name)
    if (alike === undefined) bundles.set(name, [end])
    else alike.push(end)
  }
  return [...bundles.values()]
}

function halves(ends: readonly Ended[]): (readonly Ended[])[] {
  if (ends.length < 2) return [ends]
  const middle = Math.ceil(ends.length / 2)
  return [ends.slice(0, middle), ends.slice(middle)]
}
