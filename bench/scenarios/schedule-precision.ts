import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Context } from '../../src/tasks/context.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'
import { startBenchWorker } from './worker-drain.ts'

const queue = 'bench'
/** How long to wait until the worker leads. */
const settleMs = 3_000

export const schedulePrecision: Scenario = {
  name: 'schedule-precision',
  shows: 'how late schedules fire, and their handlers start, with one idle worker; milliseconds',
  mostRounds: 1,
  variants: [every('one, each second', 1), every('100, all of them each second', 100)],
}

function every(name: string, schedules: number): Variant {
  return {
    name,
    suits: (subject) => subject.keepsGroups,
    round: (stage) => measure(stage, schedules),
  }
}

async function measure(stage: Stage, schedules: number) {
  const { admin, connections, sizes } = stage
  const db = await connections.get('plan')
  const started: number[] = []
  const sinceMs = Date.now()
  const worker = await startBenchWorker(stage, (_, context) => {
    // Rows of the rehearsal do not count.
    if (plannedMs(context) > sinceMs) started.push(Date.now() - plannedMs(context))
  })
  await delay(sizes.seconds < 5 ? 1_000 : settleMs)
  const meter = await Meter.start(admin, { plan: [db] })
  for (let n = 0; n < schedules; n++) {
    await db.query('select set_schedule($1, $2)', [
      `schedule ${n}`,
      JSON.stringify({ task: { queue }, cron: '* * * * * *' }),
    ])
  }
  await delay(sizes.seconds * 1_000)
  const fired = await lateness(db)
  const figures = await meter.stop(Math.max(fired.length, 1))
  await db.query(`select delete_schedule(name) from schedule`)
  await worker.stop()
  return {
    ...figures,
    more: { fired: fired.length, ...shares('fired', fired), ...shares('start', started) },
  }
}

function plannedMs({ task }: Context): number {
  return Date.parse((task.meta as { planned_at: string }).planned_at)
}

/** From the planned time to the moment at which the task was written, by the database's clock. */
async function lateness(db: Client): Promise<number[]> {
  const { rows } = await db.query<{ ms: number }>(
    `select (extract(epoch from late) * 1000)::float8 as ms from occurrence where outcome = 'fired'`,
  )
  return rows.map(({ ms }) => ms)
}

function shares(what: string, values: readonly number[]): Record<string, number> {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { [`${what} p50`]: at(0.5), [`${what} p99`]: at(0.99), [`${what} max`]: at(1) }
}
