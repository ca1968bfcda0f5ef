import type { SqlError, SqlOutput, SqlResult } from '../../engine/sql-output.ts'
import { harmless } from '../process/visible.ts'
import { table } from './table.ts'

/** Types whose values stand on the right: whole numbers, floating ones, numeric, oid. */
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700])

type Dropped = Pick<SqlOutput, 'results_dropped' | 'notices_dropped'>
/** The part of an output that is printed. */
export type PrintedOutput = Pick<SqlOutput, 'results' | 'notices'> & Dropped

/** What a SQL task gave, for people: a table per result, and the tags of what gave no rows. */
export function describeOutput({ results, notices, ...output }: PrintedOutput): string[] {
  const said = (after: number) =>
    notices
      .filter((notice) => notice.after === after)
      .map(({ severity, message }) => `${severity}:  ${message}`)
  const lines = results.flatMap((result, at) => [...said(at), ...describeResult(result)])
  return [...lines, ...said(results.length), ...describeDropped(output)].map(harmless)
}

/** Results and notices that were too much to keep as a whole. */
function describeDropped({ results_dropped: results = 0, notices_dropped: notices = 0 }: Dropped) {
  const parts = [
    ...(results > 0 ? [`${results} ${results === 1 ? 'result' : 'results'}`] : []),
    ...(notices > 0 ? [`${notices} ${notices === 1 ? 'notice' : 'notices'}`] : []),
  ]
  return parts.length === 0 ? [] : [`(${parts.join(' and ')} not kept)`]
}

function describeResult(result: SqlResult): string[] {
  const { tag, columns, rows, row_count, dropped, copy, copy_dropped = 0 } = result
  if (copy !== undefined) {
    const lines = copy.split('\n').slice(0, copy.endsWith('\n') ? -1 : undefined)
    return copy_dropped > 0 ? [...lines, `(${copy_dropped} bytes not kept)`] : lines
  }
  if (columns === null) return [tag ?? '']
  const shown = columns.map(({ name, type_oid }) => ({ name, isNumber: numbers.has(type_oid) }))
  const count = `(${row_count} ${row_count === 1 ? 'row' : 'rows'}${dropped > 0 ? `, ${dropped} not kept` : ''})`
  return [...table(shown, rows), count, '']
}

/** What went wrong, as psql tells it, with the place in the text marked. */
export function describeSqlError(error: Partial<SqlError>, sql: string): string[] {
  const { severity = 'ERROR', message = 'it failed', code, detail, hint, where, position } = error
  return [
    `${severity}:  ${message}${code === undefined ? '' : ` (${code})`}`,
    ...(position === undefined ? [] : markedLine(sql, position)),
    ...(detail === undefined ? [] : [`DETAIL:  ${detail}`]),
    ...(hint === undefined ? [] : [`HINT:  ${hint}`]),
    ...(where === undefined ? [] : [`CONTEXT:  ${where}`]),
  ].map(harmless)
}

/** The line of the text that the position is in, and a mark under it. */
function markedLine(sql: string, position: number): string[] {
  const before = [...sql].slice(0, position - 1).join('')
  const start = before.lastIndexOf('\n') + 1
  const [line = ''] = sql.slice(start).split('\n')
  const label = `LINE ${before.split('\n').length}: `
  return [label + line, `${' '.repeat(label.length + [...before.slice(start)].length)}^`]
}
