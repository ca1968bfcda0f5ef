import type { Machine } from '../../measure/machine.ts'
import type { Cell } from '../../shared/cells.ts'
import type { Sizes } from '../sizes.ts'

/** Everything about one run, all rounds included. */
export interface PeerResult {
  readonly machine: Machine
  readonly loadAfter: number
  readonly endedAt: string
  readonly seed: number
  readonly rounds: number
  readonly sizes: Sizes
  /** How many runs were merged. */
  readonly runs?: number
  /** For merged results: the sizes of workloads that were measured with other sizes. */
  readonly sizesOf?: Readonly<Record<string, Sizes>>
  readonly cells: readonly Cell[]
}

/** Later results replace earlier ones, unless they failed. */
export function mergeResults(results: readonly PeerResult[]): PeerResult {
  const [first] = results
  if (first === undefined) throw new Error('there are no results')
  const keyOf = ({ workload, variant, subject }: Cell) => `${workload} ${variant} ${subject}`
  const cells = new Map<string, Cell>()
  for (const cell of results.flatMap((each) => each.cells)) {
    const isBetter = cell.rounds.length > 0 || !cells.has(keyOf(cell))
    if (isBetter) cells.set(keyOf(cell), cell)
  }
  const sizes = results.flatMap((each) =>
    each.cells
      .filter(({ rounds }) => rounds.length > 0)
      .map(({ workload }) => [workload, each.sizes] as const),
  )
  return {
    ...first,
    runs: results.length,
    rounds: Math.max(...results.map(({ rounds }) => rounds)),
    loadAfter: results.at(-1)?.loadAfter ?? first.loadAfter,
    sizesOf: Object.fromEntries(sizes),
    cells: [...cells.values()],
  }
}

export function sizesFor({ sizes, sizesOf }: PeerResult, workload: string | undefined): Sizes {
  return sizesOf?.[workload ?? ''] ?? sizes
}
