/** Longer than any row that is kept. */
const longestMessage = 256 * 1024 * 1024
/** What is left of errors and notices that are longer. */
const keptOfText = 65_536

const dataRow = 0x44
const copyData = 0x64
const errorResponse = 0x45
const noticeResponse = 0x4e
const shortened = new Set([dataRow, copyData, errorResponse, noticeResponse])

/** A letter, and how many bytes follow it, those of the number included. */
const headerLength = 5
const numberLength = 4

type Listener = (chunk: Buffer) => void
interface Source {
  on(event: string, listener: Listener): unknown
}
/** The part of the driver's connection that reads what the server sends. */
export interface Reading {
  attachListeners(stream: Source): void
}

/**
 * Has a connection read long messages without holding them. The driver makes strings of what is in a
 * message, and ends the process if that is more than a string can hold, half a gigabyte.
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
 * Passes messages on as they come; of long ones there remains a row without values, the beginning of an
 * error or notice, and of COPY the same bytes in more messages.
 */
export class MessageShortener {
  readonly #longest: number
  #rest: Buffer = Buffer.alloc(0)
  /** What is still to come of the message that has begun. */
  #left = 0
  /** Its letter, if it is too long. */
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
    // The end of the field that was cut, and of the message.
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
