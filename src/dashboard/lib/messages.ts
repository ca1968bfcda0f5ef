import { problemOf } from '../api.ts'
import { apiPath } from './base.ts'
import { type Message, MessageReader } from './sse.ts'

interface MessageOptions {
  /** The position to go on from. */
  readonly after: string | null
  readonly signal: AbortSignal
  readonly onOpen?: () => void
  readonly onMessage: (message: Message) => void
}

/** The server writes at least a comment every 15 seconds; a silence this long is a dead connection. */
const longestSilenceMs = 40_000

/** Reads a stream of the API until it ends; throws if it cannot be opened or breaks. */
export async function readMessages(path: string, options: MessageOptions): Promise<void> {
  const silence = new AbortController()
  const response = await fetch(apiPath(path), {
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
  options.onOpen?.()

  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const messages = new MessageReader()
  for (;;) {
    const timer = setTimeout(() => silence.abort(), longestSilenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    for (const message of messages.push(value)) options.onMessage(message)
  }
}
