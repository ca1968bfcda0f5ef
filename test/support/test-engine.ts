import pg from 'pg'
import type { Queryable } from '../../src/db/queryable.ts'
import { call } from '../../src/engine/call.ts'
import type { ClaimOptions } from '../../src/engine/claiming.ts'
import type { Held } from '../../src/engine/outcomes.ts'
import type { ClaimedTask, NewTask } from '../../src/engine/task.ts'
import { openEngine, type Verbs } from '../../src/engine/verbs.ts'
import { passTime } from '../../src/testing/pass-time.ts'
import type { Door } from './doors/door.ts'

/** The verbs without their first argument. */
export type BoundVerbs = {
  readonly [Name in keyof Verbs]: Verbs[Name] extends (
    db: Queryable,
    ...rest: infer Rest
  ) => infer Answer
    ? (...rest: Rest) => Answer
    : never
}

/** Every state that is stored, and `gone` for a task that never was. */
export type StoredState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'gone'

/** The words that tests add to the verbs. */
interface TestWords {
  /** Moves rows into the past: those of one task, or all there are. */
  pass(time: string, id?: string): Promise<void>
  /** Claims the one task that must be there. */
  claimOne(queue: string, options?: ClaimOptions): Promise<ClaimedTask>
  /** Enqueues a task and claims it. */
  running(task?: Partial<NewTask>, options?: ClaimOptions): Promise<ClaimedTask>
  /** A task in this state, with the claim that holds it or held it last. */
  inState(state: StoredState): Promise<Held>
  /** The rows of a statement that finds its names in the test's schema; refusals are TuskErrors. */
  rows<Row extends object = Record<string, unknown>>(
    text: string,
    ...values: unknown[]
  ): Promise<Row[]>
  /** The first column of the first row. */
  value<T>(text: string, ...values: unknown[]): Promise<T>
  /** The same engine on another connection: a transaction, a role, a time zone. */
  on(db: Queryable): TestEngine
}

export type TestEngine = BoundVerbs & TestWords

/** The verbs of one schema on one connection, reached through a door, and the words of tests. */
export function openTestEngine(db: Queryable, schema: string, door?: Door): TestEngine {
  const bound = bind(openEngine({ schema }), db)
  const verbs = { ...bound, ...door?.({ db, schema, verbs: bound }) }
  const rows = <Row extends object>(text: string, ...values: unknown[]) =>
    call<Row>(db, text, values)
  const value = async <T>(text: string, ...values: unknown[]) =>
    Object.values((await rows<Record<string, T>>(text, ...values))[0] ?? {})[0] as T

  const claimOne = async (queue: string, options?: ClaimOptions) => {
    const [task] = await verbs.claim(queue, options)
    if (task === undefined) throw new Error(`nothing to claim in ${queue}`)
    return task
  }
  const running = async (task: Partial<NewTask> = {}, options?: ClaimOptions) => {
    const queue = task.queue ?? 'mail'
    await verbs.enqueue({ ...task, queue })
    return claimOne(queue, options)
  }
  return {
    ...verbs,
    rows,
    value,
    claimOne,
    running,
    inState: (state) => bringInto(state, verbs, running),
    pass: (time, id) => passTime(db, pg.escapeIdentifier(schema), time, id),
    on: (other) => openTestEngine(other, schema, door),
  }
}

function bind(verbs: Verbs, db: Queryable): BoundVerbs {
  const bound = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...rest: unknown[]) => (verb as (...all: unknown[]) => unknown)(db, ...rest),
  ])
  return Object.fromEntries(bound) as BoundVerbs
}

async function bringInto(
  state: StoredState,
  verbs: BoundVerbs,
  running: TestEngine['running'],
): Promise<Held> {
  const task = await running()
  switch (state) {
    case 'queued':
      await verbs.release([task])
      return task
    case 'running':
      return task
    case 'done':
      await verbs.complete(task)
      return task
    case 'failed':
      await verbs.kill(task)
      return task
    case 'cancelled':
      await verbs.cancel(task.id)
      return task
    case 'gone':
      await verbs.delete(task.id)
      return task
  }
}
