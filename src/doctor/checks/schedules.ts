import { quoteForShell } from '../../lib/quote-for-shell.ts'
import type { Check } from '../check.ts'
import { ask, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

interface Stopped {
  readonly name: string
  readonly state: 'paused' | 'failing'
  readonly why: string
}

export const schedules: Check = {
  name: 'schedules',
  fine: 'Every schedule that is not paused by an operator fires.',
  needsEngine: true,
  look: async (at) => {
    const stopped = await schedulesThatStopped(at)
    return (['failing', 'paused'] as const).flatMap((state) =>
      symptomsOf(stopped.filter((one) => one.state === state)),
    )
  },
}

const remedies: Readonly<Record<Stopped['state'], string>> = {
  failing:
    'Correct its task, or set it again as a role that may enqueue it; see tusk schedule show',
  paused: 'If it is still wanted: tusk schedule resume',
}

/** Schedules that stopped for the same kind of reason are reported together. */
function symptomsOf(stopped: readonly Stopped[]): Symptom[] {
  const [first] = stopped
  if (first === undefined) return []
  const { state } = first
  const names = stopped.map(({ name }) => name)
  const message =
    stopped.length === 1
      ? `The schedule ${first.name} is ${state}: ${first.why}.`
      : `${stopped.length} schedules are ${state}: ${formatList(names)}. The first: ${first.why}.`
  const hint = `${remedies[state]} ${quoteForShell(first.name)}`
  return [{ level: 'warning', message, hint, details: { state, schedules: names } }]
}

/** Those that an operator paused are meant to rest. */
function schedulesThatStopped(at: Examination): Promise<Stopped[]> {
  return ask<Stopped>(
    at,
    `select name, state, coalesce(error ->> 'message', pause_reason) as why
     from ${at.quotedSchema}.schedule
     where state = 'failing' or pause_reason is not null
     order by name`,
  )
}
