import { type Spread, spreadOf } from './statistics.ts'

/** The figures of one round, by name. */
export type Metrics = Readonly<Record<string, number>>

/** One subject in one variant of a workload, with all its rounds. */
export interface Cell {
  readonly workload: string
  readonly variant: string
  readonly subject: string
  readonly rounds: readonly Metrics[]
  /** Why it was stopped. The rounds before that still count. */
  readonly failure?: string
}

/** Where a figure comes from. */
export interface Source {
  readonly workload: string
  readonly variant: string
  readonly metric: string
  /** The figure is divided by the same figure of this variant. */
  readonly over?: string
}

/** A share is the ratio of the medians. Its minimum and maximum are those of the rounds, divided by the other median. */
export function figureOf(
  { cells }: { readonly cells: readonly Cell[] },
  subject: string,
  { workload, variant, metric, over }: Source,
): Spread | null {
  const read = (name: string) => {
    const cell = cells.find(
      (each) => each.workload === workload && each.variant === name && each.subject === subject,
    )
    return spreadOf((cell?.rounds ?? []).map((round) => round[metric]))
  }
  const figure = read(variant)
  if (over === undefined || figure === null) return figure
  const base = read(over)?.median
  if (base === undefined) return null
  const { median, min, max, rounds } = figure
  return { median: median / base, min: min / base, max: max / base, rounds }
}

export function summaryOf(metrics: Metrics): string {
  return Object.entries(metrics)
    .map(([name, value]) => `${name} ${value >= 100 ? Math.round(value) : value.toFixed(2)}`)
    .join(', ')
}
