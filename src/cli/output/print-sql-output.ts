import type { SqlResult } from '../../engine/sql-output.ts'
import { give } from '../process/io.ts'
import { csvCell } from './csv.ts'
import type { Screen } from './screen.ts'
import { describeOutput, type PrintedOutput } from './sql-lines.ts'

/**
 * Tables for people; all that the server answered as JSON; only the rows as JSONL or CSV, with a note on standard error if rows
 * are missing.
 */
export function printSqlOutput(output: PrintedOutput, screen: Screen): void {
  for (const line of linesOf(output, screen)) give(screen.io, line)
  const isRows = screen.format === 'jsonl' || screen.format === 'csv'
  const missing = output.results.reduce((sum, { dropped }) => sum + dropped, 0)
  const results = output.results_dropped ?? 0
  if (!isRows || missing + results === 0) return
  const parts = [
    ...(missing > 0 ? [`${missing} ${missing === 1 ? 'row' : 'rows'}`] : []),
    ...(results > 0 ? [`${results} ${results === 1 ? 'result' : 'results'}`] : []),
  ]
  screen.say(
    `Not all of it was kept: without ${parts.join(' and ')}. Raise --max-rows or --max-bytes.`,
  )
}

function linesOf(output: PrintedOutput, { format }: Screen): string[] {
  switch (format) {
    case 'table':
      return describeOutput(output)
    case 'json':
      return [JSON.stringify(output, undefined, 2)]
    case 'jsonl':
      return output.results.flatMap((result) =>
        result.rows.map((row) => JSON.stringify(named(result, row))),
      )
    case 'csv':
      return output.results.flatMap(csvOf)
  }
}

function csvOf({ columns, rows }: SqlResult): string[] {
  if (columns === null) return []
  const cells = [columns.map(({ name }) => name), ...rows]
  return cells.map((row) => row.map(csvCell).join(','))
}

function named({ columns }: SqlResult, row: readonly unknown[]): object {
  return Object.fromEntries((columns ?? []).map(({ name }, at) => [name, row[at]]))
}
