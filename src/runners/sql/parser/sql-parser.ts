import { Worker as Thread } from 'node:worker_threads'
import { TuskError } from '../../../lib/errors.ts'
import { commentsNestBeyond } from './comment-depth.ts'
import { parserFile } from './parser-file.ts'

/** A statement of a text: its position in bytes, and its kind. A length of 0 means up to the end of the text. */
export interface ParsedStatement {
  readonly from: number
  readonly length: number
  readonly kind: string
  readonly runsAlone: boolean
  readonly isTransactionCommand: boolean
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'parsed'; readonly statements: readonly ParsedStatement[] }
  | {
      readonly kind: 'unreadable'
      readonly message: string
      readonly position: number | null
      readonly isSpent: boolean
    }

export interface SqlParserOptions {
  /** How long one text may take. Default: 5 seconds. */
  readonly timeoutMs?: number | undefined
  /** How many texts may wait for their turn. Default: no limit. */
  readonly maxWaiting?: number | undefined
}

/** The text cannot be parsed here. A newer server may still accept it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  /** In characters, from 1. */
  readonly position: number | null

  constructor(message: string, position: number | null = null) {
    super(message)
    this.position = position
  }
}

const longestText = 1024 * 1024
const mostCommentLevels = 200
/** Memory for the syntax trees. The parser's own memory grows with the text, whose length is limited. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** An idle thread is stopped, to free its memory. */
const idleMs = 60_000

interface Job {
  readonly text: string
  resolve(statements: readonly ParsedStatement[]): void
  reject(error: unknown): void
}

/**
 * Postgres's own parser in a separate thread. A text that takes too much time or memory stops only that thread, and the
 * next text gets a new one. Nothing is loaded before the first text.
 */
export class SqlParser {
  readonly #timeoutMs: number
  readonly #maxWaiting: number
  readonly #waiting: Job[] = []
  #current: Job | undefined
  #thread: Thread | undefined
  #isReady: boolean = false
  #isClosed: boolean = false
  #timer: NodeJS.Timeout | undefined

  constructor({ timeoutMs = 5_000, maxWaiting = Number.POSITIVE_INFINITY }: SqlParserOptions = {}) {
    this.#timeoutMs = timeoutMs
    this.#maxWaiting = maxWaiting
  }

  /** The statements of a text, in order. Throws Unreadable. */
  async parse(text: string): Promise<readonly ParsedStatement[]> {
    if (text.length > longestText) {
      throw new Unreadable(`only texts of up to ${longestText} characters are parsed`)
    }
    if (commentsNestBeyond(mostCommentLevels, text)) {
      throw new Unreadable(`comments nest more than ${mostCommentLevels} levels deep`)
    }
    if (this.#isClosed) throw closed()
    if (this.#waiting.length >= this.#maxWaiting) throw tooMany(this.#maxWaiting)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject })
      this.#goOn()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#stop()
    const left = [this.#current, ...this.#waiting.splice(0)]
    this.#current = undefined
    for (const job of left) job?.reject(closed())
  }

  /** Sends the next text to the thread, once it is ready. */
  #goOn(): void {
    if (this.#isClosed || this.#current !== undefined) return
    if (this.#waiting.length === 0) {
      this.#rest()
      return
    }
    if (this.#thread === undefined) this.#thread = this.#start()
    // A text that is being parsed keeps the process alive. An idle thread does not.
    this.#thread.ref()
    if (!this.#isReady) return
    const job = this.#waiting.shift()
    this.#current = job
    this.#thread.postMessage(job?.text)
    // A result may have arrived while the main thread was busy. setImmediate lets it be handled before the text is
    // abandoned.
    this.#setTimer(this.#timeoutMs, () => setImmediate(() => this.#overrun(job)))
  }

  #start(): Thread {
    // Without environment variables: the parser needs none, and they hold secrets.
    const thread = new Thread(parserFile(), {
      name: 'tusk sql parser',
      resourceLimits,
      env: {},
      execArgv: [],
    })
    thread.on('message', (message: FromThread) => {
      if (this.#thread === thread) this.#hear(message)
    })
    thread.on('error', (error) => {
      if (this.#thread === thread) this.#fail(error)
    })
    return thread
  }

  #hear(message: FromThread): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#goOn()
      return
    }
    if (message.kind === 'unreadable' && message.isSpent) this.#stop()
    this.#endJob((job) => {
      if (message.kind === 'parsed') job.resolve(message.statements)
      else job.reject(new Unreadable(message.message, message.position))
    })
  }

  #overrun(late: Job | undefined): void {
    if (this.#current !== late) return
    this.#stop()
    const seconds = this.#timeoutMs / 1000
    this.#endJob((job) => job.reject(new Unreadable(`parsing took longer than ${seconds} seconds`)))
  }

  /** The thread has ended: it had no memory left for this text, or could not start at all. */
  #fail(error: Error): void {
    this.#stop()
    if (this.#current !== undefined) {
      this.#endJob((job) => job.reject(new Unreadable(`parsing failed: ${error.message}`)))
      return
    }
    for (const job of this.#waiting.splice(0)) job.reject(error)
  }

  #endJob(settle: (job: Job) => void): void {
    clearTimeout(this.#timer)
    const job = this.#current
    this.#current = undefined
    if (job !== undefined) settle(job)
    this.#goOn()
  }

  #rest(): void {
    this.#thread?.unref()
    this.#setTimer(idleMs, () => this.#stop())
    this.#timer?.unref()
  }

  #setTimer(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    void this.#thread?.terminate()
    this.#thread = undefined
    this.#isReady = false
  }
}

function closed(): TuskError {
  return new TuskError('client_closed', 'the parser of SQL was closed')
}

function tooMany(most: number): TuskError {
  return new TuskError('too_many_pending', `${most} texts wait to be parsed already`, {
    hint: 'Try again in a moment.',
  })
}
