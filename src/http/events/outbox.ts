const largestChunk = 64 * 1024

/**
 * What a client has not read yet, up to a limit. It is handed on as fast as the client reads and no
 * faster, so that of a client that reads nothing no more is kept than fits. One text may be larger than
 * that, while nothing else waits: the client can do nothing about its size.
 */
export class Outbox {
  readonly stream: ReadableStream<Uint8Array>
  readonly #limit: number
  readonly #onGone: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #waiting: Buffer[] = []
  #size = 0
  #isWanted: boolean = false
  #isEnding: boolean = false
  #isOver: boolean = false
  #onDrained: (() => void) | undefined

  /** `onGone` is called when the client will read no more. */
  constructor(limit: number, onGone: () => void) {
    this.#limit = limit
    this.#onGone = onGone
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => {
          this.#isWanted = true
          this.#flush()
        },
        cancel: () => this.#close(),
      },
      { highWaterMark: 0 },
    )
  }

  /** How many bytes wait to be read. */
  get size(): number {
    return this.#size
  }

  /** Whether everything was read, or never will be. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Takes a text; false if there is no room for it, and then it is not taken. */
  write(text: string): boolean {
    if (this.#isOver || this.#isEnding) return true
    const bytes = Buffer.from(text)
    if (this.#size > 0 && this.#size + bytes.length > this.#limit) return false
    this.#add(bytes)
    return true
  }

  /** Says a last word behind what waits, or instead of it, and ends the stream once that is read. */
  end(text: string, how: { readonly dropsRest?: boolean } = {}): void {
    if (this.#isOver || this.#isEnding) return
    if (how.dropsRest === true) {
      this.#waiting = []
      this.#size = 0
    }
    this.#isEnding = true
    this.#add(Buffer.from(text))
  }

  /** Gives those up who do not even read the last word: their connection is ended, or else the stream. */
  giveUpAfter(ms: number, hangUp: () => void): void {
    setTimeout(() => {
      if (this.#isOver) return
      hangUp()
      // Where there was a connection, its end has ended the stream by then.
      setTimeout(() => this.#abort(), 100).unref()
    }, ms).unref()
  }

  /** Resolves when all was handed on, or the client has gone. */
  async drained(): Promise<void> {
    if (this.#size === 0 || this.#isOver) return
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve
    })
  }

  #add(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.#size += bytes.length
    this.#flush()
  }

  #flush(): void {
    if (this.#isOver) return
    if (this.#isWanted && this.#size > 0) {
      this.#isWanted = false
      const chunk = this.#take()
      this.#controller?.enqueue(chunk)
    }
    if (this.#size > 0) return
    this.#onDrained?.()
    this.#onDrained = undefined
    if (this.#isEnding) {
      this.#controller?.close()
      this.#close()
    }
  }

  /** Some of what waits: what is handed on is beyond our limit, so it is not much at once. */
  #take(): Buffer {
    let count = 0
    let size = 0
    for (const { length } of this.#waiting) {
      if (count > 0 && size + length > largestChunk) break
      count += 1
      size += length
    }
    this.#size -= size
    return Buffer.concat(this.#waiting.splice(0, count))
  }

  #abort(): void {
    if (this.#isOver) return
    this.#controller?.error(new Error('the client did not read'))
    this.#close()
  }

  #close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    this.#size = 0
    this.#onDrained?.()
    this.#onDrained = undefined
    this.#onGone()
  }
}
