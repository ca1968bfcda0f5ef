import { inject } from 'vitest'
import type { Logger } from '../../src/lib/logger.ts'
import type { WorkerOptions } from '../../src/worker/options.ts'
import { startWorker, type Worker } from '../../src/worker/worker.ts'
import { test as base } from './engine.ts'
import { until } from './until.ts'

type Given = Partial<WorkerOptions>

interface WorkerFixtures {
  /** Starts a worker on the test's schema; it is stopped after the test. */
  work: (options: Given) => Promise<Worker>
  /** What the workers of this test said. */
  said: string[]
  /** Resolves when no task of the test is live. */
  allDone: () => Promise<void>
}

/** A real engine and real workers in this process; the database is the test's own schema. */
export const test = base.extend<WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  said: async ({}, use) => use([]),

  work: async ({ db, schema, said }, use) => {
    const workers: Worker[] = []
    // After the schema is there, and gone before it is dropped.
    await db.query('select')
    await use(async (options) => {
      const worker = await startWorker({
        database: inject('pgUrl'),
        schema,
        signals: false,
        graceMs: 200,
        logger: hearing(said),
        ...options,
      })
      workers.push(worker)
      return worker
    })
    await Promise.all(workers.map((worker) => worker.stop({ deadlineMs: 0 })))
  },

  allDone: async ({ engine }, use) =>
    use(() => until(() => engine.value('select not exists (select from tasks)'))),
})

/** A logger that remembers its lines. */
function hearing(said: string[]): Logger {
  const hear = (fields: object, message: string) => {
    const { err } = fields as { err?: Error }
    said.push(`${message} ${JSON.stringify(fields)} ${err?.message ?? ''}`)
  }
  return { debug: hear, info: hear, warn: hear, error: hear }
}

/** A promise and the ways to settle it, for handlers that wait for the test. */
export function signalled<T = void>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
