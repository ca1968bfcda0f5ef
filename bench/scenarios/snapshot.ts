import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { backendClock } from '../measure/cpu.ts'
import type { Figures } from '../measure/figures.ts'
import { Meter } from '../measure/meter.ts'
import { Claimer } from './claimer.ts'
import { queue } from './drain.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

const windows = 9
const bulk = 1_000
const batch = 500
/** Large enough that a claim always finds a full batch, and small enough that tasks are young when claimed. */
const backlog = 3_000

export const snapshot: Scenario = {
  name: 'snapshot',
  shows:
    'enqueueing and draining while a snapshot of the beginning stays open (w1 … w9: rate in each ninth)',
  mostRounds: 1,
  variants: [
    flowing('snapshot held', true),
    { ...flowing('snapshot held, no hints', false), suits: (subject) => subject.takesHints },
  ],
}

function flowing(name: string, hints: boolean): Variant {
  return {
    name,
    async round(stage) {
      const holder = await stage.connections.get('snapshot')
      await holder.query('begin isolation level repeatable read')
      await holder.query('select count(*) from tasks')
      try {
        return await flow(stage, hints)
      } finally {
        await holder.query('rollback')
      }
    },
  }
}

/** The state that producer and consumer share. */
interface Flow {
  enqueued: number
  claimed: number
  completed: number
  isOver: boolean
}

async function flow(stage: Stage, hints: boolean): Promise<Figures> {
  const { subject, connections, admin, sizes } = stage
  const enqueueDb = await connections.get('enqueue')
  const claimDb = await connections.get('claim')
  const sweepDb = await connections.get('sweep')
  const completeDb = await connections.get('complete')
  const claimer = new Claimer(subject, queue, claimDb, sweepDb, hints)
  const state: Flow = { enqueued: 0, claimed: 0, completed: 0, isOver: false }

  const meter = await Meter.start(admin, {
    enqueue: [enqueueDb],
    claim: [claimDb],
    sweep: [sweepDb],
    complete: [completeDb],
  })
  const [seen] = await Promise.all([
    watch(state, sizes.seconds, [claimDb, sweepDb]),
    produce(stage, enqueueDb, state),
    consume(stage, claimer, completeDb, state),
  ])
  const figures = await meter.stop(state.completed)
  await finishUp(stage, claimer, completeDb)
  return { ...figures, more: course(seen) }
}

/** One ninth of the time. */
interface Window {
  readonly rate: number
  /** Processor time of claims per task, including sweeps. It distinguishes a slow claim from a busy machine. */
  readonly claimMicros: number
}

async function watch(state: Flow, seconds: number, claimers: readonly Client[]): Promise<Window[]> {
  const clocks = await Promise.all(claimers.map(backendClock))
  const cpu = async () => {
    const micros = await Promise.all(clocks.map((clock) => clock()))
    return micros.reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0)
  }
  const seen: Window[] = []
  try {
    for (let window = 0; window < windows; window++) {
      const [before, startedAt, cpuBefore] = [state.completed, performance.now(), await cpu()]
      await delay((seconds * 1_000) / windows)
      const completed = state.completed - before
      const rate = (completed * 1_000) / (performance.now() - startedAt)
      seen.push({ rate, claimMicros: ((await cpu()) - cpuBefore) / Math.max(completed, 1) })
    }
  } finally {
    state.isOver = true
  }
  return seen
}

/** The rate of each window, and the last rate divided by the first. */
function course(seen: readonly Window[]): Record<string, number> {
  const [first, last] = [seen[0], seen.at(-1)]
  if (first === undefined || last === undefined) return {}
  return {
    endToStart: last.rate / first.rate,
    ...Object.fromEntries(seen.map(({ rate }, index) => [`w${index + 1}`, rate])),
    ...(Number.isFinite(first.claimMicros)
      ? { claimMicrosFirst: first.claimMicros, claimMicrosLast: last.claimMicros }
      : {}),
  }
}

async function produce({ subject }: Stage, db: Client, state: Flow): Promise<void> {
  while (!state.isOver) {
    if (state.enqueued - state.claimed >= backlog) {
      await delay(1)
      continue
    }
    await subject.enqueueMany(db, { queue, count: bulk })
    state.enqueued += bulk
  }
}

async function consume(
  { subject }: Stage,
  claimer: Claimer,
  completeDb: Client,
  state: Flow,
): Promise<void> {
  let reported = Promise.resolve(0)
  while (!state.isOver) {
    const [tasks, completed] = await Promise.all([claimer.next(batch), reported])
    state.claimed += tasks.length
    state.completed += completed
    reported = tasks.length > 0 ? subject.complete(completeDb, tasks) : Promise.resolve(0)
    if (tasks.length === 0) await delay(1)
  }
  state.completed += await reported
}

/** Leaves an empty queue to the next round. */
async function finishUp({ subject }: Stage, claimer: Claimer, db: Client): Promise<void> {
  let tasks = await claimer.close()
  while (tasks.length > 0) {
    await subject.complete(db, tasks)
    tasks = await subject.claim(db, queue, bulk)
  }
}
