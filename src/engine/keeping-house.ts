import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done, ids } from './call.ts'

/** Verbs that the chores of a worker call. */
export function keepingHouse(schema: string) {
  return {
    rescue: (db: Queryable) =>
      call<{ id: string; state: 'queued' | 'failed' }>(db, `select * from ${schema}.rescue()`, []),
    /**
     * Ends the sessions of workers that were lost inside a transaction and hold tasks whose lease has expired. Runs as
     * the caller's login, which may end its own sessions. Returns those that it ended and those that it found.
     */
    endLostHolders: (db: Queryable, over = '5 seconds') =>
      call<{ pid: number; ended: boolean | null }>(
        db,
        `select holder.pid,
                case when current_setting('is_superuser') = 'on'
                       or not rolsuper
                      and (pg_has_role(usesysid, 'usage') or pg_has_role('pg_signal_backend', 'usage'))
                     then pg_terminate_backend(holder.pid) end as ended
         from ${schema}.lost_holders($1) as holder
         join pg_stat_activity as activity using (pid)
         join pg_roles on pg_roles.oid = usesysid
         where application_name in ('tusk worker', 'tusk sql')
           and state like 'idle in transaction%'
           and state_change < clock_timestamp() - $1::interval`,
        [over],
      ),
    expire: async (db: Queryable): Promise<string[]> =>
      ids(await call(db, `select expire as id from ${schema}.expire()`, [])),
    sweep: (db: Queryable) =>
      callOne<{ tasks: string; days: number }>(db, `select tasks, days from ${schema}.sweep()`, []),
    /**
     * One statement for maintenance that needs no leader: deadlines, counters, workers that ended without signing off.
     */
    tidy: (db: Queryable) =>
      done(
        call(
          db,
          `select (select count(*) from ${schema}.expire()), ${schema}.roll_up(),
                  (select count(*) from ${schema}.forget_workers()),
                  (select count(*) from ${schema}.repair_limits())`,
          [],
        ),
      ),
  }
}
