import type { Spread } from '../measure/figures.ts'
import type { Summary } from './summary.ts'

const unknown = '–'

/** The figures as a table for people: a row per variant and subject. */
export function table(summaries: readonly Summary[]): string {
  const [first] = summaries
  if (first === undefined) return 'nothing measured'
  const heads = [
    'variant',
    'subject',
    'tasks/s',
    'p20',
    `× ${first.subject}`,
    '× first',
    'db µs',
    'p20',
    `× ${first.subject}`,
    '× first',
    'by connection',
    'node µs',
    'WAL B',
    'dead/task',
    'dead left',
    'HOT',
    'table MB',
    'index MB',
    'more',
  ]
  return align([heads, ...summaries.map(row)])
}

function row(summary: Summary): string[] {
  return [
    summary.variant,
    summary.subject,
    whole(summary.perSecond?.median),
    whole(summary.perSecond?.p20),
    fixed(summary.timesFirstSubject, 2),
    fixed(summary.timesFirstVariant, 2),
    fixed(summary.databaseMicros?.median, 1),
    fixed(summary.databaseMicros?.p20, 1),
    fixed(summary.cpuTimesFirstSubject, 2),
    fixed(summary.cpuTimesFirstVariant, 2),
    parts(summary.databaseMicrosBy),
    fixed(summary.nodeMicros?.median, 1),
    whole(summary.walBytes?.median),
    fixed(summary.deadMade?.median, 2),
    whole(summary.deadLeft?.median),
    fixed(summary.hotShare?.median, 2),
    megabytes(summary.tableBytes),
    megabytes(summary.indexBytes),
    summary.failure === null ? parts(summary.more) : `given up: ${summary.failure}`,
  ]
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  const texts = rows.map((cells) =>
    cells
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return texts.join('\n')
}

function parts(spreads: Readonly<Record<string, Spread | null>>): string {
  return Object.entries(spreads)
    .map(([name, value]) => `${name} ${fixed(value?.median, digitsFor(value?.median ?? 0))}`)
    .join(' ')
}

function digitsFor(value: number): number {
  if (value >= 100) return 0
  return value >= 10 ? 1 : 2
}

function whole(value: number | null | undefined): string {
  return value === null || value === undefined ? unknown : Math.round(value).toLocaleString('en')
}

function fixed(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? unknown : value.toFixed(digits)
}

function megabytes(bytes: Spread | null): string {
  return bytes === null ? unknown : fixed(bytes.median / 2 ** 20, 1)
}
