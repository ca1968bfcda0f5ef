import type { Check } from '../check.ts'
import { askOne } from '../examination.ts'
import { formatShare } from '../format.ts'

export const notifications: Check = {
  name: 'notifications',
  fine: 'Notifications are read as fast as they are made.',
  look: async (at) => {
    const { usage } = await askOne<{ usage: number }>(
      at,
      'select pg_notification_queue_usage() as usage',
    )
    if (usage < at.limits.notifyShare) return []
    return [
      {
        level: usage >= 0.5 ? 'problem' : 'warning',
        message: `The queue of notifications is ${formatShare(usage)} full; when it is, every commit that notifies fails.`,
        hint: 'A session that listens has an open transaction: look for it in pg_stat_activity and end it.',
        details: { usage },
      },
    ]
  },
}
