import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { monotonicMs } from '../../shared/protocol.ts'
import type { Hooks } from '../subjects/subject.ts'
import type { Progress } from './protocol.ts'

/** The effects of steps, written outside of any subject: what was really done, and by which process. */
export const effectsTable = `
  create table bench_effects (
    run text not null, step integer not null, pid integer not null, at timestamptz default clock_timestamp()
  )`

const endedStep = 0

/** Counts what durable functions do, and gives their steps an effect. */
export class CountingHooks implements Hooks {
  readonly #effectMs: number
  readonly #pool: pg.Pool
  #steps = 0
  #ended = 0
  #firstAt = 0
  #lastAt = 0
  readonly lateness: number[] = []

  constructor(url: string, effectMs: number) {
    this.#effectMs = effectMs
    this.#pool = new pg.Pool({ connectionString: url, max: 4 })
  }

  get progress(): Progress {
    const [steps, ended, firstAt, lastAt] = [this.#steps, this.#ended, this.#firstAt, this.#lastAt]
    return { steps, ended, firstAt, lastAt }
  }

  async step(run: string, step: number): Promise<number> {
    this.#lastAt = monotonicMs()
    if (this.#steps === 0) this.#firstAt = this.#lastAt
    this.#steps++
    if (this.#effectMs > 0) {
      await delay(this.#effectMs)
      await this.#write(run, step)
    }
    return step
  }

  bedtime(sleepMs: number): number {
    return monotonicMs() + sleepMs
  }

  woken(dueMs: number): void {
    this.lateness.push(monotonicMs() - dueMs)
  }

  async ended(run: string): Promise<void> {
    this.#ended++
    if (this.#effectMs > 0) await this.#write(run, endedStep)
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #write(run: string, step: number): Promise<void> {
    const text = 'insert into bench_effects (run, step, pid) values ($1, $2, $3)'
    await this.#pool.query(text, [run, step, process.pid])
  }
}
