import type { QueueStats } from '../model.ts'
import { roughly } from './format.ts'

/** What is wrong with a queue; the weight puts the worst first. */
export interface QueueProblem {
  readonly weight: number
  readonly tone: 'failed' | 'blocked' | 'retrying'
  readonly text: string
}

/** Shown in other words below. */
const said: ReadonlySet<string> = new Set(['queue_paused', 'queue_full'])

/** A task that waits longer than this is late. */
const lateSeconds = 60

export function problemsOf(queue: QueueStats, nowMs: number): QueueProblem[] {
  const problems: QueueProblem[] = []
  const { failed_last_hour: failed, done_last_hour: done, max_running: limit, running } = queue
  if (failed > 0) {
    const rate = failed / (failed + done)
    const weight = 2 + rate
    problems.push({ weight, tone: 'failed', text: `${percent(rate)} failed in the last hour` })
  }
  if (queue.paused_at !== null && queue.due > 0) {
    problems.push({ weight: 2.5, tone: 'blocked', text: 'paused while tasks are due' })
  }
  for (const { code, message } of queue.waiting) {
    if (code.startsWith('no_')) problems.push({ weight: 3, tone: 'failed', text: message })
    else if (!said.has(code)) problems.push({ weight: 0.6, tone: 'blocked', text: message })
  }
  const waits = queue.oldest_due_at === null ? 0 : (nowMs - Date.parse(queue.oldest_due_at)) / 1000
  if (waits > lateSeconds) {
    problems.push({
      weight: 1 + waits / 86_400,
      tone: 'retrying',
      text: `late by ${roughly(waits)}`,
    })
  }
  if (limit !== null && limit > 0 && running >= limit && queue.due > 0) {
    problems.push({ weight: 0.5, tone: 'blocked', text: `full: ${running} of ${limit} run` })
  }
  return problems.sort((a, b) => b.weight - a.weight)
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(rate < 0.1 ? 1 : 0)} %`
}
