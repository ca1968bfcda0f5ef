import type { Logger } from '../../lib/logger.ts'
import type { ServiceConfig, TableEntry } from './config.ts'
import { ServedTable } from './served-table.ts'

export interface TaskServiceOptions {
  /** The server and the login, for all entries that name no other. */
  readonly baseUrl: string
  readonly logger: Logger
}

/**
 * Serves the task tables of many databases from one process, and follows its configuration: what is
 * new begins, what is gone ends, what was changed begins anew, and the rest is not disturbed.
 */
export class TaskService {
  readonly #options: TaskServiceOptions
  #served = new Map<string, ServedTable>()
  #applying: Promise<void> = Promise.resolve()

  constructor(options: TaskServiceOptions) {
    this.#options = options
  }

  /** How many tables it serves, or tries to. */
  get size(): number {
    return this.#served.size
  }

  /** Resolves when all that is gone has ended; one configuration after the other. */
  apply(config: ServiceConfig): Promise<void> {
    this.#applying = this.#applying.then(() => this.#change(config))
    return this.#applying
  }

  stop(): Promise<void> {
    return this.apply({ tables: [], engineSchema: '', dialectSchema: '', allowRemote: false })
  }

  async #change(config: ServiceConfig): Promise<void> {
    const { tables, ...common } = config
    const wanted = new Map(tables.map((entry) => [JSON.stringify([inOrder(entry), common]), entry]))
    const before = this.#served
    const gone = [...before].filter(([key]) => !wanted.has(key))
    // First those that go: what takes their place may be the same table, served in another way.
    await Promise.all(gone.map(([, table]) => table.stop()))
    this.#served = new Map(
      [...wanted].map(([key, entry]) => [
        key,
        before.get(key) ?? new ServedTable({ ...this.#options, entry, config }),
      ]),
    )
  }
}

/** Entries that say the same are the same, in whatever order they say it. */
function inOrder(entry: TableEntry): [string, unknown][] {
  return Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))
}
