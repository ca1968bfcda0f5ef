import { quoteForShell } from '../../lib/quote-for-shell.ts'
import type { Check } from '../check.ts'
import { ask, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatSeconds } from '../format.ts'

interface Waiting {
  readonly queue: string
  readonly due: number
  readonly running: number
  readonly is_paused: boolean
  readonly seconds: number
  /** Why its first due task cannot start, as explain_queues() says. */
  readonly code: string | null
  readonly reason: string | null
  readonly advice: string | null
}

export const queues: Check = {
  name: 'queues',
  fine: 'Every queue with due tasks has a worker that runs them in time.',
  needsEngine: true,
  look: async (at) => {
    const waiting = await queuesThatWait(at)
    const symptoms = waiting.flatMap((one) => symptomsOf(one, at))
    return symptoms.length > most ? [...symptoms.slice(0, most), more(symptoms)] : symptoms
  },
}

/** So many queues are reported one by one, those that wait longest first. */
const most = 10

function more(symptoms: readonly Symptom[]): Symptom {
  const rest = symptoms.slice(most)
  const level = rest.some((one) => one.level === 'problem') ? 'problem' : 'warning'
  const queues = rest.map(({ details }) => details?.['queue'])
  const message = `${rest.length} more queues have tasks that wait.`
  return { level, message, hint: 'See them all: tusk stats', details: { queues } }
}

function symptomsOf(one: Waiting, { limits }: Examination): Symptom[] {
  const { queue, due, seconds } = one
  const what = `The queue ${queue} has ${due} task${due === 1 ? '' : 's'} due, the oldest for ${formatSeconds(seconds)}`
  const details = { ...one }
  if (one.is_paused) {
    return [
      {
        level: 'notice',
        message: `${what}; it is paused.`,
        hint: `To go on: tusk queue resume ${quoteForShell(queue)}`,
        details,
      },
    ]
  }
  if (one.code?.startsWith('no_') && one.running === 0 && seconds >= limits.unservedSeconds) {
    const hint = `${one.advice ?? ''} For example: tusk work ./tasks.mjs --queues ${quoteForShell(queue)}. If other programs pull from it, look whether they run.`
    return [
      { level: 'problem', message: `${what}, and ${one.reason}.`, hint: hint.trim(), details },
    ]
  }
  if (seconds < limits.oldestDueSeconds) return []
  if (one.reason !== null) {
    const advice = one.advice ?? 'See its limits: tusk queue show'
    return [{ level: 'warning', message: `${what}: ${one.reason}.`, hint: advice, details }]
  }
  const hint = 'Give it more workers or more concurrency; look at its limits: tusk queue show'
  return [{ level: 'warning', message: `${what}.`, hint, details }]
}

function queuesThatWait(at: Examination): Promise<Waiting[]> {
  return ask<Waiting>(
    at,
    `select stats.queue, due, running, paused_at is not null as is_paused,
            date_part('epoch', clock_timestamp() - oldest_due_at)::float8 as seconds,
            explained.code, explained.message as reason, explained.hint as advice
     from ${at.quotedSchema}.queue_stats as stats
     left join lateral (
       select code, message, hint from ${at.quotedSchema}.explain_queues(array[stats.queue])
       where code <> 'queue_paused' limit 1
     ) as explained on true
     where due > 0
     order by oldest_due_at`,
  )
}
