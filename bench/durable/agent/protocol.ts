import type { Usage } from '../../shared/answer-calls.ts'
import type { RunInput } from '../subjects/subject.ts'

/** What the durable functions of a process did so far. Times are milliseconds of the monotonic clock. */
export interface Progress {
  /** Steps that were performed, each time anew. */
  readonly steps: number
  readonly ended: number
  readonly firstAt: number
  readonly lastAt: number
}

/** What the main process can ask of a process with a subject in it. */
export interface DurableVerbs {
  open(subject: string, url: string, processName: string): Promise<void>
  install(): Promise<void>
  start(runs: readonly RunInput[]): Promise<void>
  signal(run: string): Promise<void>
  /** `effectMs`: a step takes so long, and then writes a row of `bench_effects`; 0: it does nothing. */
  work(atOnce: number | null, effectMs: number): Promise<void>
  progress(): Promise<Progress>
  /** Milliseconds from the time a run was due to wake until it went on. */
  lateness(): Promise<readonly number[]>
  usage(): Promise<Usage>
  close(): Promise<void>
}
