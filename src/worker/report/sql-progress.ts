import type { Held } from '../../engine/outcomes.ts'
import type { Logger } from '../../lib/logger.ts'

/** What is said more often than this is not written down. */
const tellEveryMs = 100
const longestCharacters = 4_000

type Tell = (task: Held, progress: string) => Promise<void>

/**
 * Writes down how far SQL tasks say they have come: outside their transactions, so that it is seen
 * while they run. The last word counts; nothing waits for it.
 */
export class SqlProgress {
  readonly #tell: Tell
  readonly #log: Logger
  readonly #said = new Map<string, { readonly task: Held; readonly progress: string }>()
  #timer: NodeJS.Timeout | undefined

  constructor(tell: Tell, log: Logger) {
    this.#tell = tell
    this.#log = log
  }

  said({ id, claim }: Held, progress: string): void {
    if (progress.length > longestCharacters || !isJson(progress)) return
    this.#said.set(id, { task: { id, claim }, progress })
    // The first word at once, and then the latest from time to time.
    if (this.#timer === undefined) this.#flush()
  }

  ended(id: string): void {
    this.#said.delete(id)
  }

  #flush(): void {
    this.#timer = undefined
    if (this.#said.size === 0) return
    for (const { task, progress } of this.#said.values()) {
      this.#tell(task, progress).catch((err: unknown) =>
        this.#log.debug({ err, task: task.id }, 'cannot store the progress of a task'),
      )
    }
    this.#said.clear()
    this.#timer = setTimeout(() => this.#flush(), tellEveryMs).unref()
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
