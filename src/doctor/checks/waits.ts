import { quoteForShell } from '../../lib/quote-for-shell.ts'
import type { Check } from '../check.ts'
import { ask, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatSeconds } from '../format.ts'

interface Awaited {
  readonly queue: string
  readonly name: string
  readonly tasks: number
  readonly since: Date
  readonly seconds: number
  /** The task that has waited longest. */
  readonly task: string
  /** Signals that were sent to this task, and that it does not wait for. */
  readonly unread: readonly string[]
}

/** So many signals are listed one by one, those awaited longest first. */
const most = 10

export const waits: Check = {
  name: 'waits',
  fine: 'No durable task has waited for a signal for more than a day without a time-out.',
  needsEngine: true,
  look: async (at) => {
    const awaited = await signalsAwaited(at)
    const rest = awaited.slice(most)
    const symptoms = awaited.slice(0, most).map(describe)
    return rest.length === 0 ? symptoms : [...symptoms, describeRest(rest)]
  },
}

function describe({ queue, name, tasks, since, seconds, task, unread }: Awaited): Symptom {
  const signal = JSON.stringify(name)
  const first = `since ${since.toISOString()} (${formatSeconds(seconds)})`
  const message =
    tasks === 1
      ? `Task ${task} of the queue ${queue} has been waiting for the signal ${signal} ${first}, without a time-out.`
      : `${tasks} tasks of the queue ${queue} are waiting for the signal ${signal} without a time-out, the first, task ${task}, ${first}.`
  const others = unread.map((each) => JSON.stringify(each)).join(', ')
  const hint = [
    ...(unread.length === 0
      ? []
      : [`Task ${task} was sent ${others}, which it does not wait for.`]),
    `Send the signal: tusk task signal ${task} ${quoteForShell(name)}. Or cancel the task: tusk task cancel ${task}.`,
    'To limit the wait, give ctx.receive() or await() a time-out.',
  ].join(' ')
  const details = { queue, signal: name, tasks, since, task, unread }
  return { level: 'warning', message, hint, details }
}

function describeRest(rest: readonly Awaited[]): Symptom {
  const schemaHint = 'See them all: select * from awaited_signal, in the schema of the engine.'
  const message = `Tasks are waiting for ${rest.length} more signals without a time-out.`
  const signals = rest.map(({ queue, name }) => ({ queue, signal: name }))
  return { level: 'warning', message, hint: schemaHint, details: { signals } }
}

function signalsAwaited({ quotedSchema, limits, ...at }: Examination): Promise<Awaited[]> {
  return ask<Awaited>(
    at,
    `with awaited as (
       select queue, name, tasks, since, task, clock_timestamp() - since as age
       from ${quotedSchema}.awaited_signal
       where since < clock_timestamp() - make_interval(secs => $1)
     )
     select queue, name, tasks, since, date_part('epoch', age)::float8 as seconds, task::text,
            array(
              select distinct unread.name::text from ${quotedSchema}.pending_signal as unread
              where unread.task = awaited.task order by 1 limit 5
            ) as unread
     from awaited
     order by since`,
    [limits.awaitedSeconds],
  )
}
