import type { Metrics } from '../../shared/cells.ts'
import type { Sizes } from '../sizes.ts'
import type { Stage } from '../stage.ts'

export interface Variant {
  readonly name: string
  readonly round: (stage: Stage, sizes: Sizes) => Promise<Metrics>
}

export interface Workload {
  readonly name: string
  readonly shows: string
  /** Runs all subjects at the same time, for workloads that wait and count and do not measure milliseconds. */
  readonly isTogether?: boolean
  readonly variants: readonly Variant[]
}
