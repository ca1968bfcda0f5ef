import type { Metrics } from '../../shared/cells.ts'
import type { Sizes } from '../sizes.ts'
import type { Stage } from '../stage.ts'
import type { Skill } from '../subjects/adapter.ts'

export interface Variant {
  readonly name: string
  /** What a subject must be able to do; everything else gets a dash. Without it, every subject takes part. */
  readonly needs?: Skill
  readonly queues?: (sizes: Sizes) => readonly string[]
  readonly countsStatements?: boolean
  /** Once, before the rounds. */
  readonly prepare?: (stage: Stage, sizes: Sizes) => Promise<void>
  readonly round: (stage: Stage, sizes: Sizes) => Promise<Metrics>
}

export interface Workload {
  readonly name: string
  readonly shows: string
  /** For workloads that take long. */
  readonly mostRounds?: number
  /** No short round before the others, because the first round is as good as any. */
  readonly isCold?: boolean
  /** Runs all subjects at the same time, for workloads that count and do not measure time. */
  readonly isTogether?: boolean
  readonly variants: readonly Variant[]
}

export const queue = 'bench'
