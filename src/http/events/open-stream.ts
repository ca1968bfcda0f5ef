import { Problem } from '../answers/problem.ts'
import type { HttpContext } from '../http-context.ts'
import type { EventFeed } from './feed.ts'
import { Follower } from './follower.ts'
import { Outbox } from './outbox.ts'
import type { Place } from './place.ts'
import { TaskDetails } from './task-details.ts'
import { inBatches, oneByOne, type Telling } from './telling.ts'

export interface StreamOptions {
  readonly queue: string | undefined
  readonly task: string | undefined
  readonly isBatched: boolean
  /** Where the client has come; undefined: it begins with what comes. */
  readonly place: Place | undefined
  /** Until then its token holds. */
  readonly expiresAt: Date | null
  /** Aborted when the client has disconnected, or when the server closes. */
  readonly signal: AbortSignal
  /** Refuses who would no longer be let in. */
  readonly readmit: () => Promise<void>
  readonly hangUp: () => void
}

const mostBytes = 1024 * 1024
const beatMs = 15_000
const lastWordMs = 2_000
/** How often a stream asks whether its token still holds; most times this is known without asking Postgres. */
const readmitMs = 1_000
/** Then it has to come again, so that those who balance load may send it elsewhere. */
const longestMs = 10 * 60_000

/** Opens a stream of events; it is over when the client leaves, does not keep up, or the server closes. */
export async function openStream(
  context: HttpContext,
  feed: EventFeed,
  options: StreamOptions,
): Promise<Response> {
  const { place, signal, hangUp, queue, task, expiresAt } = options
  const leave = feed.listen()
  const known = await context.verbs.follow(context.writes).catch((error: unknown) => {
    leave()
    throw error
  })
  const since = BigInt(known.since)
  const from = startOf(place, BigInt(known.after), since)
  const outbox = new Outbox(mostBytes, () => over())
  const telling = tellingOf(context, options, from.at)
  const follower = new Follower({
    context,
    feed,
    outbox,
    telling,
    queue,
    task,
    hangUp,
    since,
    ...from,
  })
  const beat = setInterval(() => follower.beat(), beatMs)
  const longest = Math.min(
    longestMs,
    (expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now(),
  )
  const guard = setInterval(() => void options.readmit().catch(endIfRefused), readmitMs)
  const endIfRefused = (error: unknown) => {
    // The client stays while the database is away for a moment.
    if (error instanceof Problem && error.status === 401) follower.close()
  }
  const timer = setTimeout(() => follower.close(), Math.max(longest, 0))
  const onAbort = () => {
    follower.close()
    // A client that has disconnected does not read, and one that does not read would keep the server from closing.
    outbox.giveUpAfter(lastWordMs, hangUp)
  }
  const over = () => {
    clearInterval(beat)
    clearInterval(guard)
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    follower.stop()
    leave()
  }
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  void follower.start()
  return new Response(outbox.stream, {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  })
}

/** A place before what is kept, or of another history, is not gone on from. */
function startOf(place: Place | undefined, after: bigint, since: bigint) {
  if (place === undefined) return { at: after, hasGap: false }
  if (place.event > after) return { at: after, hasGap: true }
  return place.event < since ? { at: since, hasGap: true } : { at: place.event, hasGap: false }
}

function tellingOf(
  context: HttpContext,
  { task, isBatched, place }: StreamOptions,
  at: bigint,
): Telling {
  if (task === undefined) return isBatched ? inBatches : oneByOne
  return new TaskDetails(context, task, { event: at, line: place?.line ?? '0' })
}
