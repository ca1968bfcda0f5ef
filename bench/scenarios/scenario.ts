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
  /** Tasks that stay in the table. */
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
  /** Which subjects can run this scenario; by default all. */
  readonly suits?: (subject: Subject) => boolean
  /** Called once before the rounds. Not measured. */
  readonly prepare?: (stage: Stage) => Promise<void>
  readonly round: (stage: Stage) => Promise<Figures>
  /** Called once after the rounds, to remove what is outside the subject's schema. */
  readonly finish?: (stage: Stage) => Promise<void>
}

export interface Scenario {
  readonly name: string
  /** The question it answers, in one line. */
  readonly shows: string
  /** The largest number of rounds, for scenarios whose rounds take long. */
  readonly mostRounds?: number
  readonly variants: readonly Variant[]
}
