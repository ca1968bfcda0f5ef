import type { Attempt, Task } from '../model.ts'

/** A stretch of a task's life. */
export interface Phase {
  readonly what: 'scheduled' | 'waited' | 'ran' | 'backed off'
  readonly tone: string
  readonly from: number
  readonly to: number
  readonly attempt: number | null
}

interface Run {
  readonly attempt: number
  readonly from: number
  readonly to: number
  readonly tone: string
}

/** More attempts than this would be thinner than a pixel. */
const mostRuns = 60

/** The stretches of a task's life in order, without gaps, up to its end or now. */
export function phasesOf(task: Task, attempts: readonly Attempt[], nowMs: number): Phase[] {
  const runs = runsOf(task, attempts, nowMs).slice(-mostRuns)
  const end = task.finished_at === null ? nowMs : Date.parse(task.finished_at)
  const phases: Phase[] = []
  let at = Date.parse(task.created_at)
  for (const run of runs) {
    phases.push(...waiting(task, at, run.from, phases.length === 0))
    phases.push({ what: 'ran', tone: run.tone, from: run.from, to: run.to, attempt: run.attempt })
    at = run.to
  }
  // What lies between the end of the last run and that of the task is only the writing of it.
  const isOver = task.finished_at !== null && runs.length > 0 && end - at < 1_000
  if (task.state === 'waiting') {
    phases.push({ what: 'waited', tone: 'waiting', from: at, to: end, attempt: null })
  } else if (end > at && !isOver) {
    phases.push(...waiting(task, at, end, phases.length === 0))
  }
  return phases.filter(({ from, to }) => to > from)
}

/** Every run that is known: those that did not succeed are written down, the last one is the task's own. */
function runsOf(task: Task, attempts: readonly Attempt[], nowMs: number): Run[] {
  const runs = attempts
    .filter(({ started_at }) => started_at !== null)
    .map(({ attempt, started_at, ended_at }) => ({
      attempt,
      from: Date.parse(started_at ?? ended_at),
      to: Date.parse(ended_at),
      tone: 'failed',
    }))
    .sort((a, b) => a.from - b.from)
  const start = task.started_at ?? task.claimed_at
  const isLast = task.state === 'running' || task.state === 'done' || task.state === 'cancelled'
  if (start === null || !isLast) return runs
  const from = Date.parse(start)
  const isWritten = runs.some((run) => Math.abs(run.from - from) < 1)
  if (isWritten) return runs
  const to = task.finished_at === null ? nowMs : Date.parse(task.finished_at)
  return [...runs, { attempt: task.attempt, from, to, tone: task.state }]
}

/** Before the first run a task may wait for its time, then for its turn; after one, for its backoff. */
function waiting(task: Task, from: number, to: number, isFirst: boolean): Phase[] {
  if (!isFirst) return [{ what: 'backed off', tone: 'retrying', from, to, attempt: null }]
  const due = Date.parse(task.run_at)
  // Once retried or suspended, run_at is no longer the time it was first planned for.
  const isPlanned = task.state !== 'waiting' && task.attempt <= 1 && due > from + 1_000
  if (!isPlanned) return [{ what: 'waited', tone: 'ready', from, to, attempt: null }]
  return [
    { what: 'scheduled', tone: 'scheduled', from, to: Math.min(due, to), attempt: null },
    { what: 'waited', tone: 'ready', from: Math.min(due, to), to, attempt: null },
  ]
}
