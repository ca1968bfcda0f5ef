import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { Meter } from '../measure/meter.ts'
import { countStatements, statements } from './idle.ts'
import type { Scenario, Stage } from './scenario.ts'
import { spentByBackends, startBenchWorker } from './worker-drain.ts'

const mostTasks = 300
/** The pause between two tasks, so that the worker goes to sleep in between: 10 tasks a second, and 30. */
const pauses = { 'ten a second': 100, 'thirty a second': 30 }

export const trickle: Scenario = {
  name: 'trickle',
  shows:
    'tasks that come one at a time to a worker that sleeps: statements and database ms per task, with the enqueue',
  variants: Object.entries(pauses).map(([name, pauseMs]) => ({
    name,
    suits: (subject) => subject.worker !== undefined,
    round: (stage) => measure(stage, pauseMs),
  })),
}

async function measure(stage: Stage, pauseMs: number) {
  const { subject, admin, connections, sizes } = stage
  const count = Math.min(sizes.singles, mostTasks)
  await countStatements(admin, 'top')
  // Its session began before statements were counted: the enqueue is added below.
  const db = await connections.get('enqueue')
  let begun = 0
  const worker = await startBenchWorker(stage, () => {
    begun += 1
  })
  await delay(1_500)
  const meter = await Meter.start(admin, { enqueue: [db] })
  await admin.query('select public.pg_stat_statements_reset()')
  const before = await spentByBackends(db)
  for (let n = 1; n <= count; n++) {
    await subject.enqueueOne(db, 'bench')
    while (begun < n) await delay(1)
    await delay(pauseMs * (0.75 + Math.random() / 2))
  }
  const spent = (await spentByBackends(db)) - before
  const asked = (await statementsOfTasks(admin)) / count + 1
  const figures = await meter.stop(count)
  await countStatements(admin, 'none')
  await worker.stop()
  const ms = (spent / count + (figures.databaseMicros ?? 0)) / 1_000
  return { ...figures, more: { statements: asked, databaseMs: ms } }
}

/** Statements for tasks only. Chores and heartbeats run without tasks, too. */
async function statementsOfTasks(db: Client): Promise<number> {
  const asked = new Map(await statements(db))
  return (asked.get('polls') ?? 0) + (asked.get('reports') ?? 0)
}
