import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../src/tasks/context.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage } from './scenario.ts'
import { drained, spentByBackends, startBenchWorker } from './worker-drain.ts'

const queue = 'bench'
const perSecond = 1_000
/** Until the worker has found nothing to do and looks less often. */
const settleMs = 10_000
const leadMs = 5_000

export const sleepers: Scenario = {
  name: 'sleepers',
  shows: 'what waiting tasks cost while they sleep, and how late 1,000 a second are woken',
  mostRounds: 2,
  variants: [
    {
      name: 'none asleep',
      suits: (subject) => subject.keepsGroups,
      round: (stage) => idleWith(stage, 0),
    },
    {
      name: 'all asleep',
      suits: (subject) => subject.keepsGroups,
      round: (stage) => idleWith(stage, stage.sizes.hot),
    },
    {
      name: 'woken',
      suits: (subject) => subject.keepsGroups,
      round: wake,
    },
  ],
}

/** Processor time of the database per second, with an idle worker and so many tasks that wait for a signal. */
async function idleWith(stage: Stage, count: number) {
  const { admin, connections, sizes } = stage
  const db = await connections.get('watch')
  await putToSleep(stage, count, "timestamptz '9999-12-31 00:00:00+00'")
  const isRehearsal = sizes.seconds < 5
  const worker = await startBenchWorker(stage, () => null)
  await delay(isRehearsal ? 100 : settleMs)
  const meter = await Meter.start(admin, { watch: [db] })
  const before = await spentByBackends(db)
  await delay(sizes.seconds * 1_000)
  const spent = await spentByBackends(db)
  const figures = await meter.stop(sizes.seconds)
  await worker.stop()
  await admin.query('truncate tasks, steps')
  return { ...figures, databaseMicros: (spent - before) / sizes.seconds, databaseMicrosBy: {} }
}

/** Delays that end one after the other, 1,000 a second; milliseconds from then until the handler goes on. */
async function wake(stage: Stage) {
  const { admin, connections, sizes } = stage
  const db = await connections.get('watch')
  const lateness: number[] = []
  const startMs = Date.now() + leadMs + sizes.hot / 20
  await putToSleep(stage, sizes.hot, `to_timestamp(${startMs / 1_000} + n / ${perSecond}.0)`)
  const worker = await startBenchWorker(
    stage,
    async ({ due }: { due: number }, { delay: wait }: Context) => {
      await wait('sleep', 1)
      lateness.push(Date.now() - due)
    },
  )
  const meter = await Meter.start(admin, { watch: [db] })
  const before = await spentByBackends(db)
  await drained(db, startMs - Date.now() + (sizes.hot / perSecond) * 1_000 + 120_000)
  const spent = await spentByBackends(db)
  const figures = await meter.stop(sizes.hot)
  await worker.stop()
  lateness.sort((one, other) => one - other)
  const at = (part: number) => lateness[Math.floor((lateness.length - 1) * part)] ?? Number.NaN
  const within = lateness.filter((ms) => ms <= 1_000).length
  return {
    ...figures,
    databaseMicros: (spent - before) / sizes.hot,
    databaseMicrosBy: {},
    more: { p50: at(0.5), p99: at(0.99), max: at(1), within: within / sizes.hot },
  }
}

/** As suspend() leaves them, put straight into the tables. */
async function putToSleep({ admin, subject }: Stage, count: number, runAt: string): Promise<void> {
  const isTimed = !runAt.includes('9999')
  await admin.query(`set search_path = ${subject.schema}`)
  await admin.query('delete from lanes')
  await admin.query(`insert into lanes (queue, priority) values ('${queue}', 0)`)
  await admin.query(
    `with asleep as (
       insert into tasks (created_at, run_at, queue, handler, submitted_by, waits, payload)
       select now(), ${runAt}, '${queue}', '${queue}', current_user,
              ${isTimed ? `'{"steps": ["sleep"]}'` : `'{"signals": ["go"]}'`},
              jsonb_build_object('due', extract(epoch from ${runAt}) * 1000)
       from generate_series(1, $1::integer) as n
       returning id, run_at
     )
     insert into steps (task, name, kind, state, until, started_at)
     select id, ${isTimed ? `'sleep', 'delay'` : `'go', 'signal'`}, 'open', ${isTimed ? 'run_at' : 'null'}, now() from asleep`,
    [count],
  )
  await admin.query('vacuum analyze tasks, steps')
}
