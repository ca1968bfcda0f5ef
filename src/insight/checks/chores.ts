import type { Check } from '../check.ts'
import { ask } from '../examination.ts'

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
      `select * from ${at.quotedSchema}.chore_alert order by chore`,
    )
    return alerts.map(({ chore, alert, since, explanation }) => ({
      level: alert === 'orphaned' ? ('problem' as const) : ('warning' as const),
      message: `The chore ${chore} is ${alert}. ${explanation}`,
      hint: remedies[alert],
      details: { chore, alert, since },
    }))
  },
}
