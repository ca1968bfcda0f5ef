import { performance } from 'node:perf_hooks'
import type { SqlRunReport } from '../../engine/running-sql.ts'
import type { Logger } from '../../lib/logger.ts'

/** A run that is over by then is too short to look at. */
const reportAfterMs = 20

type Tell = (runs: readonly SqlRunReport[], ended: readonly string[]) => Promise<void>

interface Begun {
  readonly run: SqlRunReport
  readonly atMs: number
}

/**
 * Reports to the database which backend runs which task, so that operators see it. Only tasks that take
 * longer than a moment are reported; many with one call, and nothing waits for it.
 */
export class SqlRuns {
  readonly #tell: Tell
  readonly #log: Logger
  readonly #begun = new Map<string, Begun>()
  readonly #reported = new Set<string>()
  readonly #ended = new Set<string>()
  #announced: SqlRunReport[] = []
  #announcing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #telling: Promise<void> = Promise.resolve()

  constructor(tell: Tell, log: Logger) {
    this.#tell = tell
    this.#log = log
  }

  begun(run: SqlRunReport): void {
    this.#begun.set(run.id, { run, atMs: performance.now() })
    this.#soon()
  }

  /** Reports a run that must not go on before it is known; many that begin together share a call. */
  announce(run: SqlRunReport): Promise<void> {
    this.#reported.add(run.id)
    this.#announced.push(run)
    this.#announcing ??= Promise.resolve().then(() => {
      const runs = this.#announced
      this.#announced = []
      this.#announcing = undefined
      return this.#tell(runs, [])
    })
    return this.#announcing
  }

  ended(id: string): void {
    if (this.#begun.delete(id) || !this.#reported.delete(id)) return
    this.#ended.add(id)
    this.#soon()
  }

  /** Resolves when everything was reported, or could not be. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#flush()
    await this.#telling
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), reportAfterMs).unref()
  }

  #flush(): void {
    this.#timer = undefined
    const runs = this.#lasting()
    const ended = [...this.#ended]
    this.#ended.clear()
    if (this.#begun.size > 0) this.#soon()
    if (runs.length === 0 && ended.length === 0) return
    this.#telling = this.#telling
      .then(() => this.#tell(runs, ended))
      .catch((err: unknown) => this.#log.debug({ err }, 'cannot report which backends run SQL'))
  }

  /** The runs that have lasted for a moment, and are reported now. */
  #lasting(): SqlRunReport[] {
    const sinceMs = performance.now() - reportAfterMs / 2
    const lasting = [...this.#begun.values()].filter(({ atMs }) => atMs <= sinceMs)
    for (const { run } of lasting) {
      this.#begun.delete(run.id)
      this.#reported.add(run.id)
    }
    return lasting.map(({ run }) => run)
  }
}
