import type { Queryable } from '../../../db/queryable.ts'
import type { Checkpoint, NewChild, StepRow, Wait } from '../../../engine/durable.ts'
import type { Run } from '../../run.ts'

/** A checkpoint, as far as the run that stores it knows it. */
export type NewCheckpoint = Omit<Checkpoint, 'id' | 'claim'>

/** What a durable task asks of the database; each call proves the claim. */
export interface DurableActions {
  readSteps(run: Run): Promise<readonly StepRow[]>
  saveSteps(run: Run, steps: readonly NewCheckpoint[]): Promise<void>
  /** The steps that are over already; none if the task waits now. */
  suspend(run: Run, waits: readonly Wait[]): Promise<readonly StepRow[]>
  spawn(
    run: Run,
    children: readonly NewChild[],
  ): Promise<readonly { name: string; child: string }[]>
  writeChunks(run: Run, chunks: readonly string[]): Promise<void>
  /** The work and the checkpoint made of its answer commit together. */
  transactStep<Output>(
    run: Run,
    work: (db: Queryable) => Promise<Output>,
    checkpointOf: (output: Output) => NewCheckpoint,
  ): Promise<Output>
}
