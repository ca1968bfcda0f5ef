import type { Connection, Submittable } from 'pg'
import type { Gathering } from './gather.ts'

/** One statement of a pipeline, with its parameters as text. */
export interface Step {
  readonly text: string
  readonly values?: readonly (string | null)[]
}

/** What the driver's connection can do beyond what its types tell. */
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

/** How the driver speaks to whoever submitted something; one of these is active at a time. */
abstract class Question implements Submittable {
  /** Resolves when the server is through with it; what went wrong is the answer. */
  readonly answer: Promise<Error | undefined>
  /** Tags of what ended, of steps that gather nothing. */
  readonly tags: string[] = []
  protected gathering: Gathering | undefined
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
    this.gathering?.columns(
      fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
        name,
        type_oid: dataTypeID,
        typmod: dataTypeModifier,
      })),
    )
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.gathering?.row(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.tags.push(text)
    this.gathering?.end(text)
  }

  handleEmptyQuery(): void {
    this.gathering?.nothing()
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.sendCopyFail('COPY FROM STDIN is not supported')
  }

  handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    this.gathering?.copied(chunk)
  }

  /** The driver forgets its active query at an error: nothing more will be told, so this is the end. */
  handleError(error: Error): void {
    this.#resolve(error)
  }

  handleReadyForQuery(): void {
    this.#resolve(undefined)
  }
}

/** A text in the simple protocol. The first `unheard` statements are the runner's own. */
export class SimpleQuestion extends Question {
  readonly #text: string
  #unheard: number
  readonly #heard: Gathering

  constructor(text: string, gathering: Gathering, unheard = 0) {
    super()
    this.#text = text
    this.#unheard = unheard
    this.#heard = gathering
    if (unheard === 0) this.gathering = gathering
  }

  /** Whether the runner's own statements went through. */
  get isPastPreamble(): boolean {
    return this.#unheard === 0
  }

  protected send(wire: Wire): void {
    wire.query(this.#text)
  }

  override handleCommandComplete(message: { readonly text: string }): void {
    super.handleCommandComplete(message)
    if (this.#unheard === 0) return
    this.#unheard -= 1
    if (this.#unheard === 0) this.gathering = this.#heard
  }
}

/** Statements with bound values, sent at once and answered at once; one that fails keeps the rest from running. */
export class Pipeline extends Question {
  readonly #steps: readonly Step[]

  constructor(steps: readonly Step[], gathering?: Gathering) {
    super()
    this.#steps = steps
    this.gathering = gathering
  }

  protected send(wire: Wire): void {
    for (const { text, values = [] } of this.#steps) {
      wire.parse({ text, name: '', types: [] })
      wire.bind({ values })
      if (this.gathering !== undefined) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: 0 })
    }
    wire.sync()
  }
}
