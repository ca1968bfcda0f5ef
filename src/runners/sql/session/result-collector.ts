import type { SqlNotice } from '../../../engine/sql-output.ts'

/** A column as the protocol describes it. The name of its type is looked up later. */
export interface RawColumn {
  readonly name: string
  readonly type_oid: number
  readonly typmod: number
}

export interface RawResult {
  tag: string | null
  columns: RawColumn[] | null
  rows: (string | null)[][]
  row_count: number
  dropped: number
  copy?: string
  copy_dropped?: number
  implied?: true
}

export interface ResultLimits {
  /** Per result. */
  readonly maxRows: number
  /** Of everything together, as JSON. */
  readonly maxBytes: number
}

/** The size of a result or a notice without its contents. */
const overhead = 120
const longestNotice = 4_000

/**
 * Collects what the server sends for one run. The limits apply while reading: what exceeds them is counted and dropped,
 * so a statement that returns a billion rows takes no more memory.
 */
export class ResultCollector {
  readonly results: RawResult[] = []
  readonly notices: SqlNotice[] = []
  resultsDropped = 0
  noticesDropped = 0
  /** How many statements have ended, kept or not. */
  ended = 0
  readonly #limits: ResultLimits
  #bytesLeft: number
  #current: RawResult | undefined

  constructor(limits: ResultLimits) {
    this.#limits = limits
    this.#bytesLeft = limits.maxBytes
  }

  /** An upper bound for the size of what was kept, as JSON. */
  get bytes(): number {
    return this.#limits.maxBytes - this.#bytesLeft
  }

  /** Whether something was not kept. */
  get isCut(): boolean {
    return (
      this.resultsDropped > 0 ||
      this.results.some(({ dropped, copy_dropped = 0 }) => dropped > 0 || copy_dropped > 0)
    )
  }

  columns(columns: RawColumn[]): void {
    this.#open().columns = columns
    for (const { name } of columns) this.#bytesLeft -= 2 * name.length + 60
  }

  row(values: (string | null)[]): void {
    const result = this.#open()
    result.row_count += 1
    // A row that was too long to be parsed comes without its values.
    const isWhole = values.length === (result.columns?.length ?? 0)
    const fits =
      isWhole && result.rows.length < this.#limits.maxRows && this.#afford(sizeOf(values))
    if (fits) result.rows.push(values)
    else result.dropped += 1
  }

  copied(chunk: Uint8Array): void {
    const result = this.#open()
    result.copy ??= ''
    if (result.copy_dropped === undefined && this.#afford(2 * chunk.length)) {
      result.copy += Buffer.from(chunk).toString().replaceAll('\0', '')
    } else {
      result.copy_dropped = (result.copy_dropped ?? 0) + chunk.length
    }
  }

  /** COPY has started. Recorded even if it sends no data. */
  copying(): void {
    this.#open().copy = ''
  }

  end(tag: string): void {
    const result = this.#open()
    result.tag = tag
    this.#current = undefined
    this.ended += 1
  }

  /** A text without a statement has no result. */
  nothing(): void {
    this.#current = undefined
  }

  notice(notice: Omit<SqlNotice, 'after'>): void {
    const short = { ...notice, message: notice.message.slice(0, longestNotice), after: this.ended }
    if (this.#afford(overhead + JSON.stringify(short).length)) this.notices.push(short)
    else this.noticesDropped += 1
  }

  #open(): RawResult {
    if (this.#current !== undefined) return this.#current
    const result: RawResult = { tag: null, columns: null, rows: [], row_count: 0, dropped: 0 }
    if (this.#afford(overhead)) this.results.push(result)
    else this.resultsDropped += 1
    this.#current = result
    return result
  }

  #afford(bytes: number): boolean {
    if (bytes > this.#bytesLeft) return false
    this.#bytesLeft -= bytes
    return true
  }
}

/**
 * An upper bound for its size as JSON in UTF-8. Most values are short, so it is counted exactly only where it may
 * matter.
 */
function sizeOf(values: readonly (string | null)[]): number {
  const characters = values.reduce((sum, value) => sum + (value?.length ?? 4) + 3, 2)
  return characters < 200 ? characters * 2 : Buffer.byteLength(JSON.stringify(values))
}
