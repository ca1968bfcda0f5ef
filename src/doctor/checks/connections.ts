import type { Check } from '../check.ts'
import { askOne } from '../examination.ts'

interface Room {
  readonly used: number
  readonly room: number
}

export const connections: Check = {
  name: 'connections',
  fine: 'There is room for more connections.',
  look: async (at) => {
    const { used, room } = await askOne<Room>(
      at,
      `select (select sum(numbackends) from pg_stat_database)::integer as used,
              current_setting('max_connections')::integer
                - current_setting('superuser_reserved_connections')::integer as room`,
    )
    if (used < room * at.limits.connectionShare) return []
    return [
      {
        level: used >= room * 0.95 ? 'problem' : 'warning',
        message: `${used} of ${room} connections are in use.`,
        hint: 'Raise max_connections, use smaller pools, or put a pooler before the producers.',
        details: { used, room },
      },
    ]
  },
}
