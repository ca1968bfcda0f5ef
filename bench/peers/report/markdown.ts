import { figureOf } from '../../shared/cells.ts'
import { format, markdownTable, withSpread } from '../../shared/format.ts'
import { subjectNamed } from '../subjects/all.ts'
import { type PeerResult, sizesFor } from './result.ts'
import { type Row, rows } from './rows.ts'

const unknown = '–'

/** The columns; a peer's figures at its defaults stand in brackets behind the tuned ones. */
export const columns = [
  { subject: 'tusk', title: 'Tusk, defaults' },
  { subject: 'graphile', title: 'graphile-worker 0.18, tuned', byDefault: 'graphile-default' },
  { subject: 'pg-boss', title: 'pg-boss 12, tuned', byDefault: 'pg-boss-default' },
  { subject: 'plain', title: 'plain table' },
] as const

/** The table of all rows that have a figure: medians, and with `isWithSpread` the least and the greatest too. */
export function table(result: PeerResult, { isWithSpread = false } = {}): string {
  const heads = ['work', ...columns.map(({ title }) => title), 'Tusk ÷ graphile-worker', 'goal']
  const lines = rows
    .filter((row) => columns.some(({ subject }) => hasFigure(result, row, subject)))
    .map((row) => [
      labelOf(result, row),
      ...columns.map((column) => cellOf(result, row, column, isWithSpread)),
      ratioOf(result, row),
      row.goal,
    ])
  return markdownTable(heads, lines)
}

export function labelOf(result: PeerResult, row: Row): string {
  return row.label(sizesFor(result, row.sources[0]?.workload))
}

function hasFigure(result: PeerResult, row: Row, subject: string): boolean {
  return row.sources.some((source) => figureOf(result, subject, source) !== null)
}

function cellOf(
  result: PeerResult,
  row: Row,
  column: { readonly subject: string; readonly byDefault?: string },
  isWithSpread: boolean,
): string {
  const { subject, byDefault } = column
  if (!hasFigure(result, row, subject)) return failureOf(result, row, subject) ?? unknown
  const tuned = figuresText(result, row, subject, isWithSpread)
  if (byDefault === undefined || !hasFigure(result, row, byDefault)) return tuned
  return `${tuned} (defaults: ${figuresText(result, row, byDefault, false)})`
}

/** A workload that failed is shown as "failed". A dash means that the subject cannot do it. */
function failureOf(result: PeerResult, row: Row, subject: string): string | undefined {
  const failed = result.cells.some(
    (cell) =>
      cell.subject === subject &&
      cell.failure !== undefined &&
      row.sources.some(({ workload }) => workload === cell.workload),
  )
  return failed ? 'failed' : undefined
}

function figuresText(result: PeerResult, row: Row, subject: string, isWithSpread: boolean): string {
  const texts = row.sources.map((source) => {
    const figure = figureOf(result, subject, source)
    if (figure === null) return unknown
    return isWithSpread ? withSpread(figure, row.unit) : format(figure.median, row.unit)
  })
  // One subject has one place for the limit, where another has three.
  while (texts.at(-1) === unknown) texts.pop()
  return texts.join(row.unit === 'micros' ? ' + ' : ' / ')
}

/** Adds up figures that belong together (Node + database), otherwise compares figure by figure. Shares are not compared. */
function ratioOf(result: PeerResult, row: Row): string {
  if (row.unit === 'share') return ''
  const pairs = row.sources.map((source) => [
    figureOf(result, 'tusk', source)?.median,
    figureOf(result, 'graphile', source)?.median,
  ])
  if (row.unit === 'micros') return quotient(sum(pairs, 0), sum(pairs, 1))
  const texts = pairs.map(([own, other]) => quotient(own, other))
  while (texts.at(-1) === unknown) texts.pop()
  return texts.join(' / ')
}

function sum(pairs: readonly (readonly (number | undefined)[])[], place: number): number {
  return pairs.reduce((total, pair) => total + (pair[place] ?? Number.NaN), 0)
}

function quotient(own: number | undefined, other: number | undefined): string {
  const value = (own ?? Number.NaN) / (other ?? Number.NaN)
  return Number.isFinite(value) ? value.toFixed(2) : unknown
}

/** The settings of each subject, and what it stores of a task that is done. */
export function settingsTable(): string {
  const names = columns.flatMap((column) =>
    'byDefault' in column ? [column.subject, column.byDefault] : [column.subject],
  )
  const lines = names.map((name) => {
    const { title, settings, keeps } = subjectNamed(name)
    return `| ${title} | ${settings} | ${keeps} |`
  })
  return [
    '| subject | settings | what it keeps of a task that is done |',
    '|---|---|---|',
    ...lines,
  ].join('\n')
}
