import { adminToken } from './http.ts'
import { until } from './until.ts'

export interface Message {
  readonly id: string | undefined
  readonly event: string
  readonly data: unknown
}

/** A client of a stream of events, as the standard wants it: what is not complete is thrown away. */
export class SseReader {
  readonly messages: Message[] = []
  /** Where to go on from. */
  lastId: string | undefined
  retryMs: number | undefined
  comments = 0
  isOver = false
  #rest = ''
  #id: string | undefined

  push(piece: string): void {
    const blocks = (this.#rest + piece).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) this.#read(block.split('\n'))
  }

  #read(lines: readonly string[]): void {
    const fields = new Map(lines.map((line) => this.#field(line)))
    this.#id = fields.get('id') ?? this.#id
    this.lastId = this.#id
    const data = fields.get('data')
    if (data === undefined) return
    const event = fields.get('event') ?? 'message'
    this.messages.push({ id: this.#id, event, data: JSON.parse(data) })
  }

  #field(line: string): [string, string] {
    if (line.startsWith(':')) this.comments += 1
    const found = /^(id|event|data|retry): (.*)$/.exec(line) ?? /^():?(.*)$/.exec(line)
    const [, name = '', value = ''] = found ?? []
    if (name === 'retry') this.retryMs = Number(value)
    return [name, value]
  }

  named(event: string): Message[] {
    return this.messages.filter((message) => message.event === event)
  }

  /** The messages about tasks, without those about the stream. */
  get events(): Message[] {
    return this.messages.filter(({ event }) => !about.has(event))
  }

  /** Resolves once a message of that name has come. */
  heard(event: string): Promise<void> {
    return until(async () => this.named(event).length > 0)
  }
}

const about = new Set(['ready', 'gap', 'slow', 'closing'])

interface Fetching {
  fetch(request: Request): Promise<Response>
}

export interface Stream extends SseReader {
  close(): Promise<void>
}

/** Opens a stream on a door, and reads it until close(). */
export async function openStream(
  http: Fetching,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const response = await http.fetch(
    new Request(`http://tusk.test/api/v1/events${query}`, {
      headers: { authorization: `Bearer ${adminToken}`, ...headers },
    }),
  )
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${response.status}: ${await response.text()}`)
  }
  const body = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const reader = new SseReader()
  const reading = (async () => {
    for (;;) {
      const { done, value } = await body.read()
      if (done) break
      reader.push(value)
    }
    reader.isOver = true
  })().catch(() => {
    reader.isOver = true
  })
  const close = async () => {
    await body.cancel().catch(() => {})
    await reading
  }
  return Object.assign(reader, { close })
}
