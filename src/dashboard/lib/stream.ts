import { problemOf } from '../api.ts'
import { apiPath } from './base.ts'
import type { LiveEvent } from './changes.ts'
import { toSearch } from './query.ts'
import { type Message, MessageReader } from './sse.ts'

interface StreamOptions {
  /** The position to go on from; null begins with what happens next. */
  readonly after: string | null
  readonly signal: AbortSignal
  readonly onOpen: () => void
  /** The events of one message, and the position after them. */
  readonly onEvents: (events: readonly LiveEvent[], id: string | null) => void
  /** The server has lost the events before; everything may have changed. */
  readonly onReset: () => void
  /** No client followed before; events of transactions that were under way then are missing. */
  readonly onFirst: () => void
}

/** The server writes at least a comment every 15 seconds; a silence this long is a dead connection. */
const longestSilenceMs = 40_000

/** Reads events until the stream ends; throws if it cannot be opened or breaks. */
export async function openStream(options: StreamOptions): Promise<void> {
  const silence = new AbortController()
  const response = await fetch(apiPath(`/events${toSearch({ batch: true })}`), {
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.any([options.signal, silence.signal]),
    headers: {
      accept: 'text/event-stream',
      'x-tusk-csrf': '1',
      ...(options.after === null ? {} : { 'last-event-id': options.after }),
    },
  })
  if (!response.ok || response.body === null) throw await problemOf(response)
  options.onOpen()

  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const messages = new MessageReader()
  for (;;) {
    const timer = setTimeout(() => silence.abort(), longestSilenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    for (const message of messages.push(value)) give(message, options)
  }
}

function give({ event, data, id }: Message, options: StreamOptions): void {
  if (event === 'gap') options.onReset()
  if (event === 'ready' && JSON.parse(data).since === id) options.onFirst()
  options.onEvents(event === 'events' ? JSON.parse(data) : [], id)
}
