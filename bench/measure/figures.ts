/** The figures of one round, per task by default. Null: could not be measured. */
export interface Figures {
  readonly tasks: number
  readonly seconds: number
  readonly perSecond: number
  /** Processor time of our backends: the total, and by the purpose of the connection. */
  readonly databaseMicros: number | null
  readonly databaseMicrosBy: Readonly<Record<string, number | null>>
  readonly nodeMicros: number
  readonly walBytes: number
  /** Row versions that died: updates and deletes. */
  readonly deadMade: number
  /** Dead rows in all tables at the end. */
  readonly deadLeft: number
  /** The share of updates that changed no index. */
  readonly hotShare: number | null
  readonly tableBytes: number
  readonly indexBytes: number
  /** Figures that only this scenario has. */
  readonly more: Readonly<Record<string, number>>
}

/** A figure over all rounds. */
export interface Spread {
  readonly median: number
  readonly p20: number
}

export function spread(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b)
  if (known.length === 0) return null
  return { median: quantile(known, 0.5), p20: quantile(known, 0.2) }
}

/** Interpolates between two neighbours. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
