import type { Check } from '../check.ts'
import { ask } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

interface Alert {
  readonly chore: string
  readonly alert: 'orphaned' | 'stalled' | 'flapping'
  readonly since: Date
  readonly explanation: string
}

const remedies: Readonly<Record<Alert['alert'], string>> = {
  orphaned:
    'Start a worker, such as: tusk work. Without chores nothing is rescued and no schedule fires.',
  stalled: 'Look at the log of its leader; to hand it over: tusk chore resign',
  flapping:
    'Its leaders cannot renew in time: look at their connections to the database and their load.',
}

export const chores: Check = {
  name: 'chores',
  fine: 'All chores are led and run.',
  needsEngine: true,
  look: async (at) => {
    const alerts = await ask<Alert>(
      at,
      `select * from ${at.quotedSchema}.chore_alert order by since, chore`,
    )
    const kinds = [...new Set(alerts.map(({ alert }) => alert))]
    return kinds.map((kind) =>
      symptomOf(
        kind,
        alerts.filter(({ alert }) => alert === kind),
      ),
    )
  },
}

/** Without any worker all chores are orphaned at once, and one word is enough. */
function symptomOf(alert: Alert['alert'], alerts: readonly Alert[]): Symptom {
  const names = alerts.map(({ chore }) => chore)
  const [first] = alerts
  const message =
    first !== undefined && alerts.length === 1
      ? `The chore ${first.chore} is ${alert}. ${first.explanation}`
      : `${alerts.length} chores are ${alert}, the first since ${first?.since.toISOString()}: ${formatList(names)}.`
  return {
    level: alert === 'orphaned' ? 'problem' : 'warning',
    message,
    hint: remedies[alert],
    details: { alert, chores: names, since: first?.since },
  }
}
