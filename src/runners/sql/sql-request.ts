import type { Script } from './parser/script.ts'
import type { Step } from './session/query.ts'
import type { ResultLimits } from './session/result-collector.ts'

/** What is to run on a session, with everything looked up and decided. */
export interface SqlRequest {
  readonly text: string
  readonly script: Script
  /** Bound to $1, $2, …: then the text is one statement. */
  readonly params: readonly (string | null)[] | undefined
  /** Runs as this role; undefined: as whoever logged in. */
  readonly role: string | undefined
  /** Set before it runs, and forgotten afterwards. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** Leaves its session as it is, for the next of its scope. */
  readonly saves: boolean
  readonly limits: ResultLimits
  /** Fails when the limits cut the output, instead of keeping a part of it. */
  readonly isWhole: boolean
  /** How long it may still take; null: as long as it likes. */
  readonly msLeft: () => number | null
  /** Completes the task, given its output as JSON; undefined where that cannot share a transaction with it. */
  readonly completing: ((output: string) => Step) | undefined
}
