import type { LiveEvent } from './changes.ts'
import { readMessages } from './messages.ts'
import { toSearch } from './query.ts'
import type { Message } from './sse.ts'

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

/** Reads events until the stream ends; throws if it cannot be opened or breaks. */
export function openStream(options: StreamOptions): Promise<void> {
  const onMessage = (message: Message) => give(message, options)
  return readMessages(`/events${toSearch({ batch: true })}`, { ...options, onMessage })
}

function give({ event, data, id }: Message, options: StreamOptions): void {
  if (event === 'gap') options.onReset()
  if (event === 'ready' && JSON.parse(data).since === id) options.onFirst()
  options.onEvents(event === 'events' ? JSON.parse(data) : [], id)
}
