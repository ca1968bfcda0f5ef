import type { Script } from './parser/script.ts'
import type { Step } from './session/query.ts'
import type { ResultLimits } from './session/result-collector.ts'

/** What to run in a session, with everything looked up and decided. */
export interface SqlRequest {
  readonly text: string
  readonly script: Script
  /** Bound to $1, $2, …; the text must then be a single statement. */
  readonly params: readonly (string | null)[] | undefined
  /** The role to run as. Undefined: the login. */
  readonly role: string | undefined
  /** Set before it runs, and reset afterwards. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** Leaves its session as it is, for the next task of its scope. */
  readonly saves: boolean
  readonly limits: ResultLimits
  /** Fails if the limits would cut the output, instead of keeping a part of it. */
  readonly isWhole: boolean
  /** How long it may still take. Null: no limit. */
  readonly msLeft: () => number | null
  /** Completes the task, given its output as JSON. Undefined if that cannot share a transaction with the task. */
  readonly completing: ((output: string) => Step) | undefined
}
