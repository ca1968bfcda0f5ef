import type pg from 'pg'
import type { ClaimedTask } from '../../src/engine/task.ts'
import type { TestEngine } from './test-engine.ts'
import { until } from './until.ts'

/** The numbers 0 to n - 1. */
export const range = (n: number): number[] => Array.from({ length: n }, (_, index) => index)

/** One engine on `n` connections of their own. */
export function crowd(
  engine: TestEngine,
  connect: () => Promise<pg.Client>,
  n: number,
): Promise<TestEngine[]> {
  return Promise.all(range(n).map(async () => engine.on(await connect())))
}

/** Does something with every member of a crowd at once. */
export function all<T>(
  members: readonly TestEngine[],
  doing: (member: TestEngine, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(members.map(doing))
}

interface DrainOptions {
  readonly batch?: () => number
  /** What a worker does with what it was given; by default completes it. */
  readonly perform?: (member: TestEngine, tasks: ClaimedTask[]) => Promise<unknown>
}

/** Works off a queue with a crowd until nothing of it is live; gives every task handed out. */
export async function drain(
  members: readonly TestEngine[],
  queue: string,
  options: DrainOptions = {},
): Promise<ClaimedTask[]> {
  const { batch = () => 10, perform = (member, tasks) => member.completeMany(tasks) } = options
  const handed: ClaimedTask[] = []
  await all(members, async (member) => {
    for (;;) {
      const tasks = await member.claim(queue, { limit: batch() })
      handed.push(...tasks)
      if (tasks.length > 0) await perform(member, tasks)
      else if (await member.value('select not exists (select from tasks where queue = $1)', queue))
        return
    }
  })
  return handed
}

/** Looks again and again while the work goes on; gives the distinct things it saw. */
export async function watch(
  look: () => Promise<string[]>,
  work: Promise<unknown>,
): Promise<string[]> {
  const seen = new Set<string>()
  let over = false
  const watching = (async () => {
    while (!over) for (const fault of await look()) seen.add(fault)
  })()
  try {
    await work
  } finally {
    over = true
    await watching
  }
  return [...seen]
}

/** Resolves once the session waits for a lock of another. */
export async function waitsForLock(engine: TestEngine, waiter: TestEngine): Promise<void> {
  const pid = pids.get(waiter)
  await until(() =>
    engine.value(`select wait_event_type = 'Lock' from pg_stat_activity where pid = $1`, pid),
  )
}

const pids = new WeakMap<TestEngine, number>()

/** A member on a connection of its own, known by its process so that others can see it wait. */
export async function member(
  engine: TestEngine,
  connect: () => Promise<pg.Client>,
): Promise<TestEngine> {
  const one = engine.on(await connect())
  pids.set(one, await one.value<number>('select pg_backend_pid()'))
  return one
}
