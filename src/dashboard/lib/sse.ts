/** One message of a stream of server-sent events. */
export interface Message {
  /** The place behind it, if it says so. */
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/**
 * Cuts a stream of text into messages. EventSource would do it too, but it can send no header of
 * ours, cannot be set to a place to go on from after a pause, and hides why it was refused.
 */
export class MessageReader {
  #rest = ''
  #id: string | null = null
  #event = 'message'
  #data: string[] = []

  /** The messages that this piece completed. */
  push(piece: string): Message[] {
    const lines = (this.#rest + piece).split('\n')
    this.#rest = lines.pop() ?? ''
    const messages: Message[] = []
    for (const ended of lines) {
      const line = ended.replace(/\r$/, '')
      if (line === '') messages.push(...this.#flush())
      else this.#read(line)
    }
    return messages
  }

  #read(line: string): void {
    const colon = line.indexOf(':')
    // A comment keeps the connection warm and says nothing.
    if (colon === 0) return
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') this.#id = value
    else if (field === 'event') this.#event = value
    else if (field === 'data') this.#data.push(value)
  }

  /** A message without data still tells the place that it came to. */
  #flush(): Message[] {
    const message = { id: this.#id, event: this.#event, data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0 && this.#id === null
    this.#id = null
    this.#event = 'message'
    this.#data = []
    return isEmpty ? [] : [message]
  }
}
