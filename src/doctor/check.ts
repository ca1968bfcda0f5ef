import type { Examination } from './examination.ts'
import type { Symptom } from './finding.ts'

/** One thing to look at. */
export interface Check {
  readonly name: string
  /** Said when nothing was found. */
  readonly fine: string
  /** Asks the engine's own tables and views, so there must be some. */
  readonly needsEngine?: true
  /** Needs a second connection. */
  readonly needsConnections?: true
  /** What is wrong; nothing when all is well. */
  look(at: Examination): Promise<readonly Symptom[]>
}
