import type { Journal } from './journal.ts'

const writeAfterMs = 100
const writeAfterChunks = 100

interface Chunk {
  readonly text: string
  /** How many steps the run had reached when the chunk was written. */
  readonly usedCount: number
}

/** The chunks that a task has written to its stream and that are not stored yet. */
export class Stream {
  readonly #journal: Journal
  readonly #write: (chunks: readonly string[]) => Promise<void>
  #chunks: Chunk[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #failure: { readonly error: unknown } | undefined

  constructor(journal: Journal, write: (chunks: readonly string[]) => Promise<void>) {
    this.#journal = journal
    this.#write = write
  }

  add(text: string): void {
    this.#chunks.push({ text, usedCount: this.#journal.usedCount })
    if (this.#chunks.length >= writeAfterChunks) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), writeAfterMs)
  }

  /** Resolves when all chunks are stored. Rejects with an earlier error. */
  async flush(): Promise<void> {
    this.#send()
    await this.#writing
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const chunks = this.#chunks
    this.#chunks = []
    if (chunks.length === 0) return
    this.#writing = this.#writing.then(async () => {
      try {
        const texts = await this.#unwritten(chunks)
        if (texts.length > 0) await this.#write(texts)
      } catch (error) {
        this.#failure ??= { error }
      }
    })
  }

  /** Skips the chunks before the last checkpoint of an earlier run, which has stored them. */
  async #unwritten(chunks: readonly Chunk[]): Promise<string[]> {
    const texts: string[] = []
    for (const { text, usedCount } of chunks) {
      if ((await this.#journal.behind(usedCount)).length === 0) texts.push(text)
    }
    return texts
  }
}
