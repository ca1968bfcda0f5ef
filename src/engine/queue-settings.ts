import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import type { Backoff, Json } from './task.ts'

/** A row of the view `queue`: the settings of a queue. Null means the setting of the queue `*`, or no limit. */
export interface Queue {
  readonly queue: string
  readonly paused_at: Date | null
  readonly max_running: number | null
  readonly gap: string | null
  readonly gap_from: 'start' | 'end' | null
  readonly rate: number | null
  readonly rate_window: string | null
  readonly max_attempts: number | null
  readonly max_payload: number | null
  readonly group_max_running: number | null
  readonly keep_done: string | null
  readonly keep_failed: string | null
  readonly keep_cancelled: string | null
  readonly backoff: Backoff | null
  readonly on_lost: 'retry' | 'fail' | null
  readonly is_fair: boolean
  readonly keeps_keys: boolean
  readonly records_events: boolean
  readonly packs: boolean | null
  readonly timeout: string | null
  readonly sql_max_rows: number | null
  readonly sql_max_bytes: number | null
}

/** A setting in force in a queue. Null means no limit. */
export interface SettingInForce {
  readonly setting: string
  readonly value: Json | null
  /** Where it is set: for this queue, for all queues (`*`), or nowhere. */
  readonly source: 'queue' | '*' | 'default'
}

/** Reads the settings of queues. */
export function queueSettings(schema: string) {
  return {
    readSettings: (db: Queryable, name: string) =>
      call<SettingInForce>(db, `select setting, value, source from ${schema}.read_settings($1)`, [
        name,
      ]),
    queues: (db: Queryable) => call<Queue>(db, `select * from ${schema}.queue order by queue`, []),
    /** Null if the queue has no settings of its own. */
    queue: async (db: Queryable, name: string): Promise<Queue | null> =>
      (await call<Queue>(db, `select * from ${schema}.queue where queue = $1`, [name]))[0] ?? null,
  }
}
