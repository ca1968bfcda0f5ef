import { Problem } from '../answers/problem.ts'
import type { HttpContext } from '../http-context.ts'
import { comment, message, retryAfter } from './message.ts'
import type { StreamOptions } from './open-stream.ts'
import { Outbox } from './outbox.ts'

export interface ChunkStreamOptions
  extends Pick<StreamOptions, 'expiresAt' | 'signal' | 'readmit' | 'hangUp'> {
  readonly isHead: boolean
}

const mostBytes = 1024 * 1024
/** A chunk has at most 256 kB, so that a page is not much more than a client may leave unread. */
const pageSize = 16
/** A stream that is written is read often; one that rests, twice a second. */
const busyMs = 50
const idleMs = 500
const beatMs = 15_000
const readmitMs = 1_000
const longestMs = 10 * 60_000
const lastWordMs = 2_000

/** Sends what a task writes, behind a place, as fast as the client reads, until the task has ended. */
export function openChunkStream(
  context: HttpContext,
  task: string,
  after: string,
  { isHead, expiresAt, signal, readmit, hangUp }: ChunkStreamOptions,
): Response {
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
  if (isHead) return new Response(null, { headers })
  const stopping = new AbortController()
  const outbox = new Outbox(mostBytes, () => stopping.abort())
  const close = () => {
    outbox.end(message('closing', '{}'))
    outbox.giveUpAfter(lastWordMs, hangUp)
    stopping.abort()
  }
  const endIfRefused = (error: unknown) => {
    if (error instanceof Problem && error.status === 401) close()
  }
  const beat = setInterval(() => outbox.size === 0 && outbox.write(comment), beatMs)
  const guard = setInterval(() => void readmit().catch(endIfRefused), readmitMs)
  const expiresMs = (expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()
  const timer = setTimeout(close, Math.max(0, Math.min(longestMs, expiresMs)))
  stopping.signal.addEventListener('abort', () => {
    clearInterval(beat)
    clearInterval(guard)
    clearTimeout(timer)
    signal.removeEventListener('abort', close)
  })
  signal.addEventListener('abort', close)
  outbox.write(retryAfter(1_000))
  if (signal.aborted) close()
  void send(context, task, after, outbox, stopping)
  return new Response(outbox.stream, { headers })
}

async function send(
  context: HttpContext,
  task: string,
  after: string,
  outbox: Outbox,
  stopping: AbortController,
): Promise<void> {
  const reader = { context, task, outbox, place: after }
  let restMs = busyMs
  while (!stopping.signal.aborted && !outbox.isOver) {
    const sent = await sendPage(reader).catch((err: unknown) => {
      if (!stopping.signal.aborted) context.logger.warn({ err }, 'cannot read chunks; trying again')
      return 0
    })
    if (sent === 'ended') return
    restMs = sent > 0 ? busyMs : Math.min(idleMs, restMs * 2)
    if (sent < pageSize) await rest(restMs)
  }
}

interface Reader {
  readonly context: HttpContext
  readonly task: string
  readonly outbox: Outbox
  place: string
}

/** Sends a page; answers how many chunks it had. The end is looked for first, so that no chunk is missed. */
async function sendPage(reader: Reader): Promise<number | 'ended'> {
  const { context, task, outbox } = reader
  const { verbs, reads } = context
  const found = await verbs.task(reads, task)
  const chunks = found === null ? [] : await verbs.readChunks(reads, task, reader.place, pageSize)
  for (const chunk of chunks) {
    await outbox.drained()
    outbox.write(message('chunk', JSON.stringify(chunk), chunk.place))
    reader.place = chunk.place
  }
  const hasEnded = found === null || found.finished_at !== null
  if (!hasEnded || chunks.length === pageSize) return chunks.length
  await outbox.drained()
  outbox.end(message('end', JSON.stringify({ task, state: found?.state ?? null })))
  return 'ended'
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
