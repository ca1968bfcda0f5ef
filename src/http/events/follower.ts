import type { TaskEvent } from '../../engine/following.ts'
import type { HttpContext } from '../http-context.ts'
import type { Audience, EventFeed } from './feed.ts'
import { comment, message, placeOnly, retryAfter } from './message.ts'
import type { Outbox } from './outbox.ts'
import type { Telling } from './telling.ts'

export interface FollowerOptions {
  readonly context: HttpContext
  readonly feed: EventFeed
  readonly outbox: Outbox
  readonly telling: Telling
  readonly queue: string | undefined
  readonly task: string | undefined
  /** Behind which event to begin. */
  readonly at: bigint
  /** Behind which event all are known. */
  readonly since: bigint
  /** What was missed before that; sent first. */
  readonly hasGap: boolean
  /** Ends the connection of a client that does not even read the last word. */
  readonly hangUp: () => void
}

const pageSize = 1_000
const mostPending = 10_000
const retryMs = 1_000
const afterErrorMs = 1_000
/** Within these a client that is cut off may read why. */
const lastWordMs = 5_000

/**
 * One client: reads from the table until it has come to where the feed is, and gets its events from the feed from
 * then on. While it reads back it is waited for; once it hears what comes it has to keep up.
 */
export class Follower implements Audience {
  readonly #options: FollowerOptions
  #at: bigint
  #toldPlace: bigint
  #pending: TaskEvent[] = []
  #isTelling: boolean = false
  #isOver: boolean = false
  #slowBeats = 0

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#at = options.at
    this.#toldPlace = options.at
  }

  /** Begins; resolves when it hears what comes, or is over. */
  async start(): Promise<void> {
    const { outbox, telling, hasGap } = this.#options
    const [after, since] = [String(this.#at), String(this.#options.since)]
    outbox.write(retryAfter(retryMs))
    outbox.write(message(hasGap ? 'gap' : 'ready', JSON.stringify({ after, since }), after))
    await this.#insist(async () => this.#sayInTurn(await telling.first()))
    await this.#insist(() => this.#catchUp())
  }

  tell(events: readonly TaskEvent[]): void {
    const last = events.at(-1)
    if (last === undefined || this.#isOver) return
    const news = this.#newsAmong(events)
    if (BigInt(last.id) > this.#at) this.#at = BigInt(last.id)
    if (news.length === 0) return
    if (this.#pending.length + news.length > mostPending) this.#cutOff()
    else this.#pending.push(...news)
    if (!this.#isTelling) void this.#tellPending()
  }

  tellGap(from: bigint): void {
    if (this.#at >= from) return
    this.#at = from
    this.#say(message('gap', JSON.stringify({ after: String(from) }), String(from)))
  }

  /** Keeps the connection warm, and tells how far it has come when nothing was for this client. */
  beat(): void {
    const { outbox, task } = this.#options
    this.#slowBeats = outbox.size > 0 ? this.#slowBeats + 1 : 0
    if (this.#slowBeats > 1) this.#cutOff()
    else if (outbox.size > 0) return
    else if (task === undefined && this.#at > this.#toldPlace && this.#pending.length === 0) {
      this.#toldPlace = this.#at
      this.#say(placeOnly(String(this.#at)))
    } else this.#say(comment)
  }

  /** Ends the stream by the server's will: come back, and go on from where you were. */
  close(): void {
    this.stop()
    this.#options.outbox.end(message('closing', '{}'))
  }

  /** The client has gone. */
  stop(): void {
    this.#isOver = true
    this.#pending = []
    this.#options.feed.remove(this)
  }

  async #catchUp(): Promise<void> {
    const { feed } = this.#options
    while (!this.#isOver) {
      const target = feed.at
      if (target === undefined) await rest(20)
      // Nothing between the look and the joining: what the feed tells next is what comes next.
      else if (this.#at >= target) return feed.add(this)
      else await this.#readTowards(target)
    }
  }

  /** A page that is not full has all there is until then. */
  async #readTowards(target: bigint): Promise<void> {
    const { context, queue, outbox } = this.#options
    const after = String(this.#at)
    const page = await context.verbs.events(context.reads, { after, limit: pageSize, queue })
    await this.#tellNow(page.filter((event) => this.#concerns(event)))
    const last = BigInt(page.at(-1)?.id ?? after)
    this.#at = page.length < pageSize && last < target ? target : last
    await outbox.drained()
  }

  /** Keeps the client while the database is away for a moment. */
  async #insist(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      try {
        return await work()
      } catch (err) {
        if (this.#options.context.closing.aborted) return
        this.#options.context.logger.warn({ err }, 'cannot read events; trying again')
        await rest(afterErrorMs)
      }
    }
  }

  async #tellPending(): Promise<void> {
    this.#isTelling = true
    while (this.#pending.length > 0 && !this.#isOver) {
      const events = this.#pending
      this.#pending = []
      await this.#insist(() => this.#tellNow(events))
    }
    this.#isTelling = false
  }

  async #tellNow(events: readonly TaskEvent[]): Promise<void> {
    const last = events.at(-1)
    if (last === undefined) return
    const messages = this.#options.telling.tell(events)
    if (typeof messages === 'string') this.#say(messages)
    else await this.#sayInTurn(await messages)
    this.#toldPlace = BigInt(last.id)
  }

  /** Of one task, who may have written much: as fast as it is read. */
  async #sayInTurn(pieces: readonly string[]): Promise<void> {
    for (const piece of pieces) {
      await this.#options.outbox.drained()
      this.#say(piece)
    }
  }

  /** Most clients want all, and are where the feed is. */
  #newsAmong(events: readonly TaskEvent[]): readonly TaskEvent[] {
    const { queue, task } = this.#options
    const isAhead = this.#at >= BigInt(events[0]?.id ?? 0)
    if (!isAhead && queue === undefined && task === undefined) return events
    return events.filter((event) => BigInt(event.id) > this.#at && this.#concerns(event))
  }

  #concerns({ queue, task }: TaskEvent): boolean {
    const { queue: ofQueue, task: ofTask } = this.#options
    return (ofQueue ?? queue) === queue && (ofTask ?? task) === task
  }

  #say(text: string): void {
    if (!this.#isOver && text !== '' && !this.#options.outbox.write(text)) this.#cutOff()
  }

  /** It does not keep up. What it has not read is thrown away: it can come back and go on from there. */
  #cutOff(): void {
    if (this.#isOver) return
    const { outbox, hangUp } = this.#options
    this.stop()
    outbox.end(message('slow', '{}'), { dropsRest: true })
    outbox.giveUpAfter(lastWordMs, hangUp)
  }
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
