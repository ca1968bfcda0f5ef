/** A column of a table; numbers stand on the right. */
export interface TableColumn {
  readonly name: string
  readonly isNumber?: boolean
}

const longestCell = 200

/** Rows under their names, as wide as they need to be; what is null is empty. */
export function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | null)[])[],
): string[] {
  const cells = rows.map((row) => columns.map((_, at) => cell(row[at] ?? null)))
  const widths = columns.map(({ name }, at) =>
    Math.max(width(name), ...cells.map((row) => width(row[at] ?? ''))),
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.isNumber ?? false))
      .join(' │ ')
      .trimEnd()
  return [
    line(columns.map(({ name }) => name)),
    widths.map((each) => '─'.repeat(each)).join('─┼─'),
    ...cells.map(line),
  ]
}

/** On one line, without what would move the cursor. */
function cell(value: string | null): string {
  const shown = (value ?? '')
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '·')
  return shown.length <= longestCell ? shown : `${shown.slice(0, longestCell - 1)}…`
}

function width(text: string): number {
  return [...text].length
}

function pad(text: string, to: number, isNumber: boolean): string {
  const blanks = ' '.repeat(Math.max(to - width(text), 0))
  return isNumber ? blanks + text : text + blanks
}
