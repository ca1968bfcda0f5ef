import type { Machine } from '../../measure/machine.ts'
import type { Cell } from '../../shared/cells.ts'
import type { Sizes } from '../sizes.ts'

/** Everything about one run, all rounds included. */
export interface DurableResult {
  readonly machine: Machine
  readonly loadAfter: number
  readonly endedAt: string
  readonly seed: number
  readonly rounds: number
  readonly sizes: Sizes
  /** Why a subject is missing, by its name. */
  readonly missing: Readonly<Record<string, string>>
  readonly cells: readonly Cell[]
}

/** Merges the workloads of several runs, under the machine of the last run. Later measurements replace earlier ones. */
export function mergeDurable(results: readonly DurableResult[]): DurableResult {
  const last = results.at(-1)
  if (last === undefined) throw new Error('there are no results')
  const keyOf = ({ workload, variant, subject }: Cell) => `${workload} ${variant} ${subject}`
  const cells = new Map<string, Cell>()
  for (const cell of results.flatMap((each) => each.cells)) {
    if (cell.rounds.length > 0 || !cells.has(keyOf(cell))) cells.set(keyOf(cell), cell)
  }
  return { ...last, cells: [...cells.values()] }
}
