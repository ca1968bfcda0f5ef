import { type Figures, type Spread, spread } from '../measure/figures.ts'
import type { Cell } from '../run.ts'

/** A cell over all its rounds, set against the first subject and the first variant. */
export interface Summary {
  readonly variant: string
  readonly subject: string
  readonly rounds: number
  readonly failure: string | null
  readonly perSecond: Spread | null
  /** Its median rate by that of the first subject in the same variant. */
  readonly timesFirstSubject: number | null
  /** Its median rate by its own in the first variant. */
  readonly timesFirstVariant: number | null
  /** The same for the processor time of the database, with its 20th percentile, which other programs hardly affect. */
  readonly cpuTimesFirstSubject: number | null
  readonly cpuTimesFirstVariant: number | null
  readonly databaseMicros: Spread | null
  readonly databaseMicrosBy: Readonly<Record<string, Spread | null>>
  readonly nodeMicros: Spread | null
  readonly walBytes: Spread | null
  readonly deadMade: Spread | null
  readonly deadLeft: Spread | null
  readonly hotShare: Spread | null
  readonly tableBytes: Spread | null
  readonly indexBytes: Spread | null
  readonly more: Readonly<Record<string, Spread | null>>
}

export function summarize(cells: readonly Cell[]): Summary[] {
  return cells.map((cell) => {
    const over = (read: (figures: Figures) => number | null) => spread(cell.rounds.map(read))
    const first = cell.rounds[0]
    const named = (read: (figures: Figures) => Readonly<Record<string, number | null>>) =>
      Object.fromEntries(
        Object.keys(first === undefined ? {} : read(first)).map((name) => [
          name,
          over((figures) => read(figures)[name] ?? null),
        ]),
      )
    const sameVariant = cells.find(({ variant }) => variant === cell.variant)
    const sameSubject = cells.find(({ subject }) => subject === cell.subject)
    return {
      variant: cell.variant,
      subject: cell.subject,
      rounds: cell.rounds.length,
      failure: cell.failure ?? null,
      perSecond: over(({ perSecond }) => perSecond),
      timesFirstSubject: ratio(medianRate, cell, sameVariant),
      timesFirstVariant: ratio(medianRate, cell, sameSubject),
      cpuTimesFirstSubject: ratio(lowMicros, cell, sameVariant),
      cpuTimesFirstVariant: ratio(lowMicros, cell, sameSubject),
      databaseMicros: over(({ databaseMicros }) => databaseMicros),
      databaseMicrosBy: named(({ databaseMicrosBy }) => databaseMicrosBy),
      nodeMicros: over(({ nodeMicros }) => nodeMicros),
      walBytes: over(({ walBytes }) => walBytes),
      deadMade: over(({ deadMade }) => deadMade),
      deadLeft: over(({ deadLeft }) => deadLeft),
      hotShare: over(({ hotShare }) => hotShare),
      tableBytes: over(({ tableBytes }) => tableBytes),
      indexBytes: over(({ indexBytes }) => indexBytes),
      more: named(({ more }) => more),
    }
  })
}

type Reading = (cell: Cell) => number | null

const medianRate: Reading = ({ rounds }) =>
  spread(rounds.map(({ perSecond }) => perSecond))?.median ?? null

const lowMicros: Reading = ({ rounds }) =>
  spread(rounds.map(({ databaseMicros }) => databaseMicros))?.p20 ?? null

function ratio(read: Reading, cell: Cell, base: Cell | undefined): number | null {
  const [own, other] = [read(cell), base === undefined ? null : read(base)]
  return own === null || other === null ? null : own / other
}
