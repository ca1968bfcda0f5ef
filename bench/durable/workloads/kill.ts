import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from '../../shared/cells.ts'
import type { Sizes } from '../sizes.ts'
import type { DurableAgent, Stage } from '../stage.ts'
import type { RunInput } from '../subjects/subject.ts'
import { judge } from './judge-kill.ts'
import type { Workload } from './workload.ts'

const restartMs = 5_000
const lookMs = 100
const betweenStartsMs = 50
/** The process that began the first run works for a second before the kill. It then holds a run and has done a step. */
const killMs = 1_200
const startPatienceMs = 20_000

export const kill: Workload = {
  name: 'kill',
  shows: 'two processes, ten runs, one process killed with -9: what becomes of its runs',
  isTogether: true,
  variants: [
    { name: 'alone', round: (stage, sizes) => killOne(stage, sizes, false) },
    { name: 'restarted', round: (stage, sizes) => killOne(stage, sizes, true) },
  ],
}

async function killOne(stage: Stage, sizes: Sizes, isRestarted: boolean): Promise<Metrics> {
  const { effectMs, killRuns, killSteps, watchSeconds } = sizes
  const begin = async (name: string) => {
    const agent = await stage.start(name)
    await agent.call('work', null, effectMs)
    return agent
  }
  const workers = new Map<number, { agent: DurableAgent; name: string }>()
  for (const name of ['worker 1', 'worker 2']) {
    const agent = await begin(name)
    workers.set(agent.pid, { agent, name })
  }
  const producer = await stage.producer()
  for (let n = 0; n < killRuns; n++) {
    const run: RunInput = { run: `run ${n}`, kind: 'steps', steps: killSteps, sleepMs: 0 }
    await producer.call('start', [run])
    await delay(betweenStartsMs)
  }
  const victim = workers.get(await busiest(stage, killMs))
  if (victim === undefined) throw new Error('no process has taken a step')
  await victim.agent.kill()
  const diedAt = await clock(stage)
  const watchedUntil = diedAt + watchSeconds * 1_000
  const restartAt = isRestarted ? diedAt + restartMs : Number.POSITIVE_INFINITY
  let isBack = false
  let finishedAt = Number.NaN
  while (Number.isNaN(finishedAt) && (await clock(stage)) < watchedUntil) {
    if (!isBack && (await clock(stage)) >= restartAt) {
      isBack = true
      await begin(victim.name)
    }
    if ((await stage.unfinished()) === 0) finishedAt = await clock(stage)
    else await delay(lookMs)
  }
  const judged = await judge(stage.admin, { victim: victim.agent.pid, diedAt, steps: killSteps })
  return { ...judged, allDone: (finishedAt - diedAt) / 1_000, stranded: await stage.unfinished() }
}

/** Milliseconds by the clock of the database, by which effects are dated. */
async function clock(stage: Stage): Promise<number> {
  const text = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now'
  return (await stage.admin.query<{ now: number }>(text)).rows[0]?.now ?? Number.NaN
}

/** The process with the most effects, some time after the first effect. */
async function busiest(stage: Stage, afterMs: number): Promise<number> {
  const text = `
    select pid, extract(epoch from clock_timestamp() - min(min(at)) over ())::float8 * 1000 as age
    from bench_effects group by pid order by count(*) desc`
  for (let waited = 0; waited < startPatienceMs; waited += lookMs) {
    const { rows } = await stage.admin.query<{ pid: number; age: number }>(text)
    if (rows[0] !== undefined && rows[0].age >= afterMs - 500) return rows[0].pid
    await delay(lookMs)
  }
  throw new Error('no process has taken a step')
}
