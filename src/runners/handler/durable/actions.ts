import type { Queryable } from '../../../db/queryable.ts'
import type { Checkpoint, NewChild, StepRow, Wait } from '../../../engine/durable.ts'
import type { Run } from '../../run.ts'

/** A checkpoint, without the id and the claim of its task. */
export type NewCheckpoint = Omit<Checkpoint, 'id' | 'claim'>

/** The database calls of a durable task. Each proves the claim. */
export interface DurableActions {
  readSteps(run: Run): Promise<readonly StepRow[]>
  saveSteps(run: Run, steps: readonly NewCheckpoint[]): Promise<void>
  /** The steps that are over already. Empty if the task now waits. */
  suspend(run: Run, waits: readonly Wait[]): Promise<readonly StepRow[]>
  spawn(
    run: Run,
    children: readonly NewChild[],
  ): Promise<readonly { name: string; child: string }[]>
  writeChunks(run: Run, chunks: readonly string[]): Promise<void>
  /** Runs work and stores its result as a checkpoint, in one transaction. */
  transactStep<Output>(
    run: Run,
    work: (db: Queryable) => Promise<Output>,
    checkpointOf: (output: Output) => NewCheckpoint,
  ): Promise<Output>
}
