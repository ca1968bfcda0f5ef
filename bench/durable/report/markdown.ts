import { type Cell, figureOf, type Source } from '../../shared/cells.ts'
import { format, markdownTable, type Unit, withSpread } from '../../shared/format.ts'
import type { Spread } from '../../shared/statistics.ts'
import { subjects } from '../subjects/all.ts'
import type { DurableSubject } from '../subjects/subject.ts'
import type { DurableResult } from './result.ts'

const unknown = '–'

interface Row {
  readonly label: string
  readonly source: Source
  readonly unit: Unit
  /** Larger is better, and Tusk is compared with the best of the others. */
  readonly isRate?: boolean
}

const of = (workload: string, variant: string, metric: string): Source => ({
  workload,
  variant,
  metric,
})

const rows: readonly Row[] = [
  {
    label: 'steps per second, one worker, defaults',
    source: of('steps', 'defaults', 'perSecond'),
    ...{ unit: 'rate', isRate: true },
  },
  {
    label: 'the same, 10 runs at once everywhere',
    source: of('steps', 'ten', 'perSecond'),
    ...{ unit: 'rate', isRate: true },
  },
  {
    label: 'steps per second of one run alone',
    source: of('steps', 'single', 'perSecond'),
    ...{ unit: 'rate', isRate: true },
  },
  {
    label: 'CPU µs of the database per step, defaults',
    source: of('steps', 'defaults', 'databaseMicros'),
    unit: 'micros',
  },
  {
    label: 'CPU µs of Node per step, defaults',
    source: of('steps', 'defaults', 'nodeMicros'),
    unit: 'micros',
  },
  {
    label: 'ms from a signal until the run goes on, median',
    source: of('wake', 'signal', 'p50'),
    unit: 'ms',
  },
  { label: 'the same, worst', source: of('wake', 'signal', 'max'), unit: 'ms' },
  {
    label: 'ms from the end of a sleep until the run goes on, median',
    source: of('wake', 'sleep', 'p50'),
    unit: 'ms',
  },
  { label: 'the same, worst', source: of('wake', 'sleep', 'max'), unit: 'ms' },
]

/** Steps and wake-ups: medians, with the least and the greatest. */
export function speedTable(result: DurableResult): string {
  const shown = measured(result, ['steps', 'wake'])
  const lines = rows.flatMap((row) => {
    const figures = shown.map(({ name }) => figureOf(result, name, row.source))
    if (figures.every((figure) => figure === null)) return []
    const cells = shown.map(({ name }, at) => cellOf(result, name, row, figures[at] ?? null))
    return [[row.label, ...cells, ratio(result, row)]]
  })
  return markdownTable(['', ...shown.map(({ title }) => title), 'Tusk ÷ best other'], lines)
}

function cellOf(result: DurableResult, subject: string, row: Row, figure: Spread | null): string {
  if (figure !== null) return withSpread(figure, row.unit)
  return cellFor(result, subject, row.source)?.failure === undefined ? unknown : 'failed'
}

/** Tusk's median by the best median of the others. */
export function ratio(result: DurableResult, { source, isRate }: Row): string {
  const medianOf = (name: string) => figureOf(result, name, source)?.median
  const others = subjects
    .filter(({ name }) => name !== 'tusk')
    .flatMap(({ name }) => medianOf(name) ?? [])
  const own = medianOf('tusk')
  if (own === undefined || others.length === 0) return unknown
  const best = isRate === true ? Math.max(...others) : Math.min(...others)
  return `${format(own / best, 'share')} ×`
}

/** One line per subject and variant of the kill test. */
export function killTable(result: DurableResult): string {
  const lines = ['alone', 'restarted'].flatMap((variant) =>
    measured(result, ['kill']).flatMap(({ name, title }) => {
      const cell = cellFor(result, name, of('kill', variant, ''))
      if (cell === undefined) return []
      const left = variant === 'alone' ? 'nothing' : 'it starts again after 5 s'
      if (cell.rounds.length === 0) return [[title, left, 'failed', '', '', '', '']]
      const list = (metric: string) => listOf(cell, metric)
      return [
        [
          ...[title, left, list('orphans'), list('doneSoon'), list('stranded'), list('doubled')],
          list('resumed'),
        ],
      ]
    }),
  )
  const runs = `of ${result.sizes.killRuns} runs`
  return markdownTable(
    [
      ...['', 'after the death', 'runs it held', `done within 20 s, ${runs}`],
      `stranded after ${result.sizes.watchSeconds} s`,
      ...['steps done twice', 'seconds until the last held run goes on'],
    ],
    lines,
  )
}

/** A figure per round: they are few, and a median of stranded runs would hide one. */
function listOf({ rounds }: Cell, metric: string): string {
  const figures = rounds.map((round) => round[metric] ?? Number.NaN)
  const text = (value: number) => {
    if (!Number.isFinite(value)) return 'never'
    return Number.isInteger(value) ? String(value) : value.toFixed(1)
  }
  return figures.map(text).join(', ')
}

function measured(result: DurableResult, workloads: readonly string[]): readonly DurableSubject[] {
  return subjects.filter(({ name }) =>
    result.cells.some(({ workload, subject }) => subject === name && workloads.includes(workload)),
  )
}

function cellFor({ cells }: DurableResult, name: string, { workload, variant }: Source) {
  return cells.find(
    (cell) => cell.subject === name && cell.workload === workload && cell.variant === variant,
  )
}

export function page(result: DurableResult): string {
  const missing = Object.entries(result.missing).map(
    ([name, why]) => `Not measured: ${name}, ${why}.`,
  )
  const has = (...names: string[]) => result.cells.some(({ workload }) => names.includes(workload))
  return [
    ...(has('steps', 'wake') ? [speedTable(result)] : []),
    ...(has('kill') ? [killTable(result)] : []),
    ...missing,
  ].join('\n\n')
}

/** Which subject had which settings, and what becomes of the runs of a process that died. */
export function subjectsTable(): string {
  return markdownTable(
    ['subject', 'settings', 'who goes on with the runs of a process that died'],
    subjects.map(({ title, settings, recovery }) => [title, settings, recovery]),
  )
}
