import type { SessionCount } from '../../doctor/sessions.ts'
import type { ChoreStats } from '../../engine/leading.ts'
import type { WorkerInfo } from '../../engine/measuring.ts'
import type { Family, Sample } from './write.ts'

const strangers = 'unknown'
const scheduleStates = ['planned', 'running', 'paused', 'failing', 'over']

export function choreFamilies(chores: readonly ChoreStats[], nowMs: number): Family[] {
  const each = (value: (chore: ChoreStats) => number): Sample[] =>
    chores.map((row) => ({ labels: { chore: row.chore }, value: value(row) }))
  return [
    {
      name: 'tusk_chore_is_led',
      type: 'gauge',
      help: 'Whether a worker leads the chore: 1 or 0.',
      samples: each(({ is_led }) => Number(is_led)),
    },
    {
      name: 'tusk_chore_runs_total',
      type: 'counter',
      help: 'Runs of the chore.',
      samples: each(({ runs }) => runs),
    },
    {
      name: 'tusk_chore_errors_total',
      type: 'counter',
      help: 'Runs of the chore that failed.',
      samples: each(({ errors }) => errors),
    },
    {
      name: 'tusk_chore_last_success_seconds',
      type: 'gauge',
      help: 'How long ago a run of the chore last went well.',
      samples: chores
        .filter(({ last_ok_at }) => last_ok_at !== null)
        .map(({ chore, last_ok_at }) => ({
          labels: { chore },
          value: Math.max(nowMs - (last_ok_at?.getTime() ?? nowMs), 0) / 1000,
        })),
    },
  ]
}

export function workerFamilies(workers: readonly WorkerInfo[]): Family[] {
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0)
  return [
    {
      name: 'tusk_workers',
      type: 'gauge',
      help: 'Processes that run tasks.',
      samples: [{ labels: {}, value: workers.length }],
    },
    {
      name: 'tusk_worker_slots',
      type: 'gauge',
      help: 'Tasks that they could run at once.',
      samples: [{ labels: {}, value: slots }],
    },
  ]
}

/** Counts sessions by state. Their owners are left out. */
export function connectionFamily(sessions: readonly SessionCount[]): Family {
  const byState = new Map<string, number>()
  for (const { state, count } of sessions) {
    const name = state ?? strangers
    byState.set(name, (byState.get(name) ?? 0) + count)
  }
  return {
    name: 'tusk_connections',
    type: 'gauge',
    help: 'Connections to the database, by what they do.',
    samples: [...byState].map(([state, value]) => ({ labels: { state }, value })),
  }
}

export function scheduleFamily(counts: readonly { state: string; n: number }[]): Family {
  return {
    name: 'tusk_schedules',
    type: 'gauge',
    help: 'Schedules, by how they stand.',
    samples: scheduleStates.map((state) => ({
      labels: { state },
      value: counts.find((row) => row.state === state)?.n ?? 0,
    })),
  }
}

export function buildFamily(labels: {
  readonly version: string
  readonly schema_version: string
  readonly postgres: string
}): Family {
  return {
    name: 'tusk_build_info',
    type: 'gauge',
    help: 'What runs here; always 1.',
    samples: [{ labels, value: 1 }],
  }
}
