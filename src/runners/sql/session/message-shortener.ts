/** Longer than any row that is kept. */
const longestMessage = 256 * 1024 * 1024
/** How many bytes of longer errors and notices are kept. */
const keptOfText = 65_536

const dataRow = 0x44
const copyData = 0x64
const errorResponse = 0x45
const noticeResponse = 0x4e
const shortened = new Set([dataRow, copyData, errorResponse, noticeResponse])

/** A letter, and the length of the message, which includes the length field itself. */
const headerLength = 5
const numberLength = 4

type Listener = (chunk: Buffer) => void
interface Source {
  on(event: string, listener: Listener): unknown
}
/** The part of the driver's connection that parses the server's messages. */
export interface Reading {
  attachListeners(stream: Source): void
}

/**
 * Makes a connection parse long messages without buffering them. The driver converts messages to strings, and crashes
 * the process if one exceeds the limit of a string, half a gigabyte.
 */
export function shortenMessages(reading: Reading): void {
  const attach = reading.attachListeners.bind(reading)
  reading.attachListeners = (stream) => {
    const shortener = new MessageShortener()
    attach({
      on: (event, listener) =>
        stream.on(
          event,
          event !== 'data'
            ? listener
            : (chunk) => {
                for (const part of shortener.read(chunk)) listener(part)
              },
        ),
    })
  }
}

/**
 * Passes messages on as they arrive. A long row is replaced by one without values, a long error or notice by its
 * beginning; COPY data is split into more messages.
 */
export class MessageShortener {
  readonly #longest: number
  #rest: Buffer = Buffer.alloc(0)
  /** How many bytes of the current message are still to come. */
  #left = 0
  /** Its letter, if the message is too long. */
  #long: number | undefined
  #head: Buffer[] = []
  #headLength = 0

  constructor(longest = longestMessage) {
    this.#longest = longest
  }

  read(chunk: Buffer): Buffer[] {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const parts: Buffer[] = []
    let at = 0
    let from = 0
    while (this.#isReadable(data.length - at)) {
      if (this.#left === 0) {
        this.#begin(data[at] ?? 0, data.readUInt32BE(at + 1) - numberLength)
        if (this.#long !== undefined) {
          parts.push(data.subarray(from, at))
          from = at + headerLength
        }
        at += headerLength
      } else {
        const body = data.subarray(at, at + this.#left)
        at += body.length
        this.#left -= body.length
        if (this.#long !== undefined) {
          parts.push(...this.#shorten(this.#long, body))
          from = at
        }
      }
    }
    parts.push(data.subarray(from, at))
    this.#rest = data.subarray(at)
    return parts.filter(({ length }) => length > 0)
  }

  #isReadable(length: number): boolean {
    return this.#left > 0 ? length > 0 : length >= headerLength
  }

  #begin(letter: number, length: number): void {
    this.#left = length
    this.#long = length > this.#longest && shortened.has(letter) ? letter : undefined
  }

  #shorten(letter: number, body: Buffer): Buffer[] {
    const isOver = this.#left === 0
    if (isOver) this.#long = undefined
    if (letter === copyData) return [message(letter, body)]
    if (letter === dataRow) return isOver ? [message(letter, Buffer.alloc(2))] : []
    if (this.#headLength < keptOfText) {
      const kept = Buffer.from(body.subarray(0, keptOfText - this.#headLength))
      this.#head.push(kept)
      this.#headLength += kept.length
    }
    if (!isOver) return []
    // Terminates the field that was cut, and the message.
    const text = Buffer.concat([...this.#head, Buffer.alloc(2)])
    this.#head = []
    this.#headLength = 0
    return [message(letter, text)]
  }
}

function message(letter: number, body: Buffer): Buffer {
  const header = Buffer.alloc(headerLength)
  header[0] = letter
  header.writeUInt32BE(body.length + numberLength, 1)
  return Buffer.concat([header, body])
}
