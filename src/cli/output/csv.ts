/** Rows as RFC 4180 has them, under the names of their fields. */
export function csvLines(rows: readonly object[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (names.length === 0) return []
  return [names, ...rows.map((row) => names.map((name) => Reflect.get(row, name) as unknown))].map(
    (cells) => cells.map(csvCell).join(','),
  )
}

/** What is null is empty; what has parts is JSON. */
export function csvCell(value: unknown): string {
  const text = csvText(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function csvText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
