import { visible } from '../process/visible.ts'
import { cutText, textWidth } from './text-width.ts'

/** A column of a table; numbers stand on the right. */
export interface TableColumn {
  readonly name: string
  readonly isNumber?: boolean | undefined
  /** It is never cut, as numbers are not: half of it would be of no use. */
  readonly isWhole?: boolean | undefined
}

export interface TableOptions {
  /** The width of the terminal: longer lines are cut where there is most to cut. */
  readonly fit?: number | undefined
  /** Colours a cell once it is as wide as its column. */
  readonly paint?: ((text: string, column: number, row: number) => string) | undefined
}

const longestCell = 200
/** A column is not cut below this: it would be unreadable. */
const narrowest = 8
const gap = 3

/** Rows under their names, as wide as they need to be; what is null is empty. */
export function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | null)[])[],
  { fit, paint = (text) => text }: TableOptions = {},
): string[] {
  const cells = rows.map((row) => columns.map((_, at) => cell(row[at] ?? null)))
  const wanted = columns.map(({ name }, at) =>
    Math.max(textWidth(name), ...cells.map((row) => textWidth(row[at] ?? ''))),
  )
  const canGive = columns.map(({ isNumber, isWhole }) => !(isNumber || isWhole))
  const widths = fit === undefined ? wanted : narrowed(wanted, fit, canGive)
  const padded = (texts: readonly string[]) =>
    texts.map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.isNumber ?? false))
  const line = (texts: readonly string[]) => texts.join(' │ ').trimEnd()
  return [
    line(padded(columns.map(({ name }) => name))),
    widths.map((each) => '─'.repeat(each)).join('─┼─'),
    ...cells.map((row, at) => line(padded(row).map((text, column) => paint(text, column, at)))),
  ]
}

/** Takes from the widest column until all fit, or none has anything to give. */
function narrowed(wanted: readonly number[], fit: number, canGive: readonly boolean[]): number[] {
  const widths = [...wanted]
  const total = () => widths.reduce((sum, each) => sum + each, (widths.length - 1) * gap)
  for (let over = total() - fit; over > 0; over = total() - fit) {
    const givers = widths.map((width, at) => (canGive[at] && width > narrowest ? width : 0))
    const width = Math.max(...givers)
    if (width === 0) return widths
    const widest = givers.indexOf(width)
    const next = Math.max(...givers.filter((_, at) => at !== widest), narrowest)
    // Down to the next widest at once, so that it takes few rounds.
    widths[widest] = Math.max(width - over, Math.min(next, width - 1))
  }
  return widths
}

/** On one line, without what would move the cursor. */
function cell(value: string | null): string {
  return cutText(visible(value ?? ''), longestCell)
}

function pad(given: string, to: number, isNumber: boolean): string {
  const text = cutText(given, to)
  const blanks = ' '.repeat(Math.max(to - textWidth(text), 0))
  return isNumber ? blanks + text : text + blanks
}
