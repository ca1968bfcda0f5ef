import { give, type Io, paint, type Style, say } from '../process/io.ts'
import { visible } from '../process/visible.ts'
import { csvLines } from './csv.ts'
import type { OutputFormat } from './format.ts'
import { table } from './table.ts'

/** A column of a list on a terminal: a part of what each row is. */
export interface Column<Row> {
  readonly name: string
  readonly of: (row: Row) => string | number | null
  readonly isNumber?: boolean
  /** It is never cut to fit. */
  readonly isWhole?: boolean
  readonly style?: (row: Row) => Style | undefined
}

/** What is known of one thing, for people: name and value, in order. */
export type Details = readonly (readonly [name: string, value: string | number | null])[]

export interface ScreenOptions {
  readonly output?: OutputFormat | undefined
  readonly quiet?: boolean | undefined
  readonly color?: boolean | undefined
}

/**
 * Where a command prints. On a terminal tables, elsewhere JSON, or what was asked for with `--output`.
 * Programs get rows whole, people get the columns that matter.
 */
export class Screen {
  readonly io: Io
  readonly format: OutputFormat
  readonly #isAskedFor: boolean

  constructor(io: Io, { output, quiet, color }: ScreenOptions) {
    this.io = {
      ...io,
      isQuiet: quiet ?? io.isQuiet,
      env: color === false ? { ...io.env, NO_COLOR: '1' } : io.env,
    }
    this.format = output ?? (io.stdout.isTTY ? 'table' : 'json')
    this.#isAskedFor = output !== undefined
  }

  get isForPeople(): boolean {
    return this.format === 'table'
  }

  /** A list. `none` is said when it is empty. */
  list<Row extends object>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    none = 'There are none.',
  ): void {
    if (!this.isForPeople) this.#lines(this.#records(rows, rows))
    else if (rows.length === 0 && none === '') return
    else if (rows.length === 0) this.say(none)
    else this.#lines(this.tableOf(rows, columns))
  }

  /** One thing: its details for people, all of it for programs. */
  one(thing: object, details: Details | (() => readonly string[])): void {
    if (!this.isForPeople) this.#lines(this.#records(thing, [thing]))
    else this.#lines(typeof details === 'function' ? details() : detailLines(details))
  }

  /**
   * An answer of one value, such as an id: as it is, also in a pipe, so that `id=$(tusk …)` works; with
   * `--output` as part of `thing`.
   */
  value(text: string, thing: object): void {
    if (this.#isAskedFor && !this.isForPeople) this.one(thing, [])
    else give(this.io, text)
  }

  /** The next of a list whose end is not known: one line each, whatever the format. */
  next(row: object, line: () => string, isFirst: boolean): void {
    if (this.isForPeople) give(this.io, line())
    else if (this.format === 'csv') this.#lines(csvLines([row]).slice(isFirst ? 0 : 1))
    else give(this.io, JSON.stringify(row))
  }

  /** A list as a terminal shows it. */
  tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
    const cells = rows.map((row) => columns.map((column) => textOf(column.of(row))))
    return table(columns, cells, {
      // A terminal of unknown size has no columns.
      fit: this.io.stdout.columns || undefined,
      paint: (text, column, at) => {
        const row = rows[at]
        const style = row === undefined ? undefined : columns[column]?.style?.(row)
        return style === undefined ? text : this.paint(style, text)
      },
    })
  }

  paint(style: Style, text: string): string {
    return paint(this.io, style, text, 'stdout')
  }

  say(line = ''): void {
    say(this.io, line)
  }

  /** JSON shows a whole as it is; the others a line per row. */
  #records(whole: unknown, rows: readonly object[]): string[] {
    if (this.format === 'json') return [JSON.stringify(whole, undefined, 2)]
    return this.format === 'csv' ? csvLines(rows) : rows.map((row) => JSON.stringify(row))
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) give(this.io, line)
  }
}

export function detailLines(details: Details): string[] {
  const width = Math.max(...details.map(([name]) => name.length)) + 2
  return details.map(([name, value]) =>
    `${name.padEnd(width)}${visible(textOf(value) ?? '-')}`.trimEnd(),
  )
}

function textOf(value: string | number | null): string | null {
  return typeof value === 'number' ? String(value) : value
}
