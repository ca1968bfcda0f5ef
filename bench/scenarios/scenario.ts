import type { Client } from 'pg'
import type { Connections } from '../connections.ts'
import type { Figures } from '../measure/figures.ts'
import type { Subject } from '../subjects/subject.ts'

/** How much of everything. */
export interface Sizes {
  /** Tasks drained or enqueued in bulk, per round. */
  readonly tasks: number
  /** Tasks enqueued or drained one by one, per round. */
  readonly singles: number
  /** Tasks that lie around. */
  readonly background: number
  readonly groups: number
  /** Tasks that wait for one full group. */
  readonly hot: number
  /** How long a snapshot is held. */
  readonly seconds: number
}

/** One subject in one variant: installed in a schema of its own, with its connections. */
export interface Stage {
  readonly subject: Subject
  readonly sizes: Sizes
  readonly admin: Client
  readonly connections: Connections
}

export interface Variant {
  readonly name: string
  /** Which subjects can do this at all; all of them unless told. */
  readonly suits?: (subject: Subject) => boolean
  /** Once, before the rounds; not measured. */
  readonly prepare?: (stage: Stage) => Promise<void>
  readonly round: (stage: Stage) => Promise<Figures>
  /** Once, after the rounds: for what lies outside the subject's schema. */
  readonly finish?: (stage: Stage) => Promise<void>
}

export interface Scenario {
  readonly name: string
  /** The question it answers, in one line. */
  readonly shows: string
  /** Rounds at most, for those that measure over a long time by themselves. */
  readonly mostRounds?: number
  readonly variants: readonly Variant[]
}
