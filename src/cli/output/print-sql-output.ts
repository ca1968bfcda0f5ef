import type { SqlOutput, SqlResult } from '../../engine/sql-output.ts'
import { give } from '../process/io.ts'
import { csvCell } from './csv.ts'
import type { Screen } from './screen.ts'
import { describeOutput } from './sql-lines.ts'

type Output = Pick<SqlOutput, 'results' | 'notices'>

/** Tables for people; all that the server answered as JSON; only the rows as JSONL or CSV. */
export function printSqlOutput(output: Output, screen: Screen): void {
  for (const line of linesOf(output, screen)) give(screen.io, line)
}

function linesOf(output: Output, { format }: Screen): string[] {
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
