import type { Connection, Submittable } from 'pg'
import type { ResultCollector } from './result-collector.ts'

/** One statement of a pipeline, with its parameters as text. */
export interface Step {
  readonly text: string
  readonly values?: readonly (string | null)[]
}

/** What the driver's connection can do beyond its published types. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  query(text: string): void
  parse(statement: { text: string; name: string; types: number[] }): void
  bind(portal: { values: readonly (string | null)[] }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(portal: { portal: string; rows: number }): void
  sync(): void
  sendCopyFail(message: string): void
}

interface FieldMessage {
  readonly name: string
  readonly dataTypeID: number
  readonly dataTypeModifier: number
}

/** The interface between the driver and a query object. One is active at a time. */
abstract class Question implements Submittable {
  /** Resolves when the server has finished. An error is the result, not a rejection. */
  readonly answer: Promise<Error | undefined>
  /** The command tags of ended statements whose results are not collected. */
  readonly tags: string[] = []
  protected collector: ResultCollector | undefined
  #resolve: (error: Error | undefined) => void = () => {}

  constructor() {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  protected abstract send(wire: Wire): void

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.stream.cork()
    try {
      this.send(wire)
    } finally {
      wire.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldMessage[] }): void {
    this.collector?.columns(
      fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
        name,
        type_oid: dataTypeID,
        typmod: dataTypeModifier,
      })),
    )
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.collector?.row(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.tags.push(text)
    this.collector?.end(text)
  }

  handleEmptyQuery(): void {
    this.collector?.nothing()
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.sendCopyFail('COPY FROM STDIN is not supported')
  }

  handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    this.collector?.copied(chunk)
  }

  /** The driver drops its active query after an error and reports nothing more about it, so it ends here. */
  handleError(error: Error): void {
    this.#resolve(error)
  }

  handleReadyForQuery(): void {
    this.#resolve(undefined)
  }
}

/** Which statements of a text are the task's own: this many, after this many of the runner's. */
export interface Part {
  readonly before: number
  readonly own: number
}

/**
 * A text in the simple protocol. Results of the runner's own statements before and after the task's part are not
 * collected.
 */
export class SimpleQuery extends Question {
  /** The last value that the runner's statements after the task's part returned. */
  lastWord: string | null | undefined
  readonly #text: string
  readonly #part: Part
  readonly #heard: ResultCollector | undefined

  constructor(
    text: string,
    collector: ResultCollector | undefined,
    part: Part = { before: 0, own: Infinity },
  ) {
    super()
    this.#text = text
    this.#part = part
    this.#heard = collector
    this.#listen()
  }

  protected send(wire: Wire): void {
    wire.query(this.#text)
  }

  override handleCommandComplete(message: { readonly text: string }): void {
    super.handleCommandComplete(message)
    this.#listen()
  }

  override handleDataRow(message: { readonly fields: (string | null)[] }): void {
    super.handleDataRow(message)
    if (this.collector === undefined) this.lastWord = message.fields.at(-1)
  }

  #listen(): void {
    const { before, own } = this.#part
    const isOwn = this.tags.length >= before && this.tags.length < before + own
    this.collector = isOwn ? this.#heard : undefined
  }
}

/** Statements with bound values, sent in one batch. If one fails, the rest do not run. */
export class Pipeline extends Question {
  readonly #steps: readonly Step[]

  constructor(steps: readonly Step[], collector?: ResultCollector) {
    super()
    this.#steps = steps
    this.collector = collector
  }

  protected send(wire: Wire): void {
    for (const { text, values = [] } of this.#steps) {
      wire.parse({ text, name: '', types: [] })
      wire.bind({ values })
      if (this.collector !== undefined) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: 0 })
    }
    wire.sync()
  }
}
