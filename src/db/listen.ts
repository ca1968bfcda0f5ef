import pg from 'pg'
import { closeConnection, destroyConnection } from './close-connection.ts'
import { MessageLimiter } from './message-limiter.ts'
import { hasOwnSession } from './own-session.ts'
import { ServerClient } from './server-client.js'

/**
 * Handlers of a channel. A message is only a hint to ask the database: it can be lost with the connection, and any
 * login of the database can send one.
 */
export interface ChannelHandlers {
  onMessage(payload: string): void
  /** How often per second the same message is passed on. Default: that of MessageLimiter. */
  readonly mostPerSecond?: number
  /** LISTEN is in force, for the first time or again. Messages sent before were missed, so check the database. */
  onListening?(): void
  /** The connection is lost. Messages are missed until the next onListening(). */
  onDeaf?(): void
}

export interface ListenerOptions {
  /**
   * Creates a client that is not connected yet, straight to the server. A pooler in transaction mode forgets LISTEN, so
   * a connection through one counts as lost and is retried now and then.
   */
  readonly newClient: () => pg.Client
  /** Called once per loss, not once per reconnect. */
  readonly onLost?: (error: unknown) => void
  /** How often a silent connection is checked. Default: every 10 seconds. */
  readonly checkEveryMs?: number
  /** The first pause before a reconnect. It doubles up to half a minute. */
  readonly retryDelayMs?: number
}

const usualCheckMs = 10_000
const answerWithinMs = 5_000
const longestPauseMs = 30_000
/** How long a running statement may take when the listener closes. */
const lastAnswerMs = 1_000

/**
 * One connection that listens to any number of channels and reconnects when it is lost. It connects when the first
 * handlers are added, and stays open until close().
 */
export class Listener {
  readonly #options: ListenerOptions
  readonly #handlers = new Map<string, Set<ChannelHandlers>>()
  readonly #channels = new Set<string>()
  readonly #untold = new Set<ChannelHandlers>()
  readonly #limiters = new Map<string, MessageLimiter>()
  #client: pg.Client | undefined
  /** The last client that was created, connected or not. */
  #newest: pg.Client | undefined
  #isClosed: boolean = false
  #failures = 0
  #retry: NodeJS.Timeout | undefined
  #check: NodeJS.Timeout | undefined
  #stirring: Promise<void> | undefined
  #isStale: boolean = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Whether a message sent now would be received. */
  get isListening(): boolean {
    return this.#client !== undefined && this.#untold.size === 0
  }

  /** Adds handlers for a channel. Returns a function that removes them. */
  hear(channel: string, handlers: ChannelHandlers): () => void {
    const heard = this.#handlers.get(channel) ?? new Set()
    this.#handlers.set(channel, heard.add(handlers))
    if (!this.#limiters.has(channel)) {
      const pass = (payload: string) => this.#tell(channel, payload)
      this.#limiters.set(channel, new MessageLimiter(pass, handlers.mostPerSecond))
    }
    this.#untold.add(handlers)
    if (this.#retry === undefined) this.#stir()
    return () => {
      this.#untold.delete(handlers)
      heard.delete(handlers)
    }
  }

  /**
   * Runs a short statement on the connection, which also proves that it still works. Undefined if it is not listening.
   */
  share<T>(work: (client: pg.Client) => Promise<T>): Promise<T> | undefined {
    const client = this.#client
    return client !== undefined && this.isListening ? this.#share(client, work) : undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#handlers.clear()
    this.#untold.clear()
    for (const limiter of this.#limiters.values()) limiter.close()
    const patience = setTimeout(() => this.#newest && destroyConnection(this.#newest), lastAnswerMs)
    await this.#stirring
    clearTimeout(patience)
    const client = this.#letGo()
    if (client !== undefined) await closeConnection(client)
  }

  #tell(channel: string, payload: string): void {
    for (const handlers of [...(this.#handlers.get(channel) ?? [])]) handlers.onMessage(payload)
  }

  /**
   * Makes the connection listen to the channels that have handlers: one statement at a time, and once more if they
   * changed meanwhile.
   */
  #stir(): void {
    this.#isStale = true
    this.#stirring ??= this.#synchronize().finally(() => {
      this.#stirring = undefined
    })
  }

  async #synchronize(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      try {
        await this.#listen(this.#client ?? (await this.#connect()))
      } catch (error) {
        this.#lose(error)
        return
      }
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#options.newClient()
    this.#newest = client
    // Before connect(): a connection may be lost at any time, and an error without a listener crashes the process.
    client.on('error', (error) => this.#client === client && this.#lose(error))
    client.on('end', () => this.#client === client && this.#lose(new Error('connection ended')))
    client.on('notification', ({ channel, payload = '' }) => {
      this.#limiters.get(channel)?.hear(payload)
    })
    try {
      await client.connect()
      if (!(await hasOwnSession(client, this.#options.newClient))) throw new Pooled()
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    this.#client = client
    this.#check = setInterval(
      () => this.#ask(client),
      this.#options.checkEveryMs ?? usualCheckMs,
    ).unref()
    return client
  }

  async #listen(client: pg.Client): Promise<void> {
    const wanted = [...this.#handlers.keys()].filter((channel) => !this.#channels.has(channel))
    const waiting = [...this.#untold]
    const listens = wanted.map((channel) => `listen ${pg.escapeIdentifier(channel)}`)
    if (listens.length > 0) await client.query(listens.join(';'))
    if (this.#client !== client) return
    for (const channel of wanted) this.#channels.add(channel)
    this.#failures = 0
    for (const handlers of waiting) if (this.#untold.delete(handlers)) handlers.onListening?.()
  }

  /** A connection can die silently, for example behind a firewall. A query reveals that. */
  #ask(client: pg.Client): void {
    if (this.#stirring !== undefined) return
    const silence = setTimeout(
      () => client.emit('error', new Error('no answer')),
      answerWithinMs,
    ).unref()
    this.#stirring = client
      .query('select')
      .then(() => misplacement(client))
      .then(
        (fault) => {
          if (fault !== undefined && this.#client === client) this.#lose(new Error(fault))
        },
        (error: unknown) => this.#client === client && this.#lose(error),
      )
      .then(() => {
        clearTimeout(silence)
        this.#stirring = undefined
        if (this.#isStale) this.#stir()
      })
  }

  async #share<T>(client: pg.Client, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const answer = await work(client)
    const fault = await misplacement(client)
    if (this.#client !== client) return answer
    if (fault === undefined) this.#check?.refresh()
    else this.#lose(new Error(fault))
    return answer
  }

  #lose(error: unknown): void {
    const client = this.#letGo()
    // Cut at once, because a silent server never answers a goodbye.
    if (client !== undefined) destroyConnection(client)
    if (this.#isClosed) return
    if (this.#failures === 0) this.#options.onLost?.(error)
    this.#failures += 1
    for (const handlers of [...this.#handlers.values()].flatMap((heard) => [...heard])) {
      if (!this.#untold.has(handlers)) handlers.onDeaf?.()
      this.#untold.add(handlers)
    }
    const doubled = (this.#options.retryDelayMs ?? 100) * 2 ** (this.#failures - 1)
    // A pooler will not go away soon.
    const longest = error instanceof Pooled ? longestPauseMs : Math.min(doubled, longestPauseMs)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined
        this.#stir()
      },
      longest * (0.5 + Math.random() / 2),
    ).unref()
  }

  #letGo(): pg.Client | undefined {
    const client = this.#client
    this.#client = undefined
    this.#channels.clear()
    clearInterval(this.#check)
    return client
  }
}

/** A demoted primary keeps its connections open, but does not see notifications from the new primary. */
async function misplacement(client: pg.Client): Promise<string | undefined> {
  return client instanceof ServerClient ? client.misplacement() : undefined
}

class Pooled extends Error {
  constructor() {
    super(
      'a pooler in transaction mode is in between, which forgets who listens: name the server itself for LISTEN',
    )
  }
}
