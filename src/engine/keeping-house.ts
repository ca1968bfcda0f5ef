import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done, ids } from './call.ts'

/** How many tasks were rescued, and how long until the next lease runs out; null: nothing is held. */
export interface Rescued {
  readonly tasks: number
  readonly next_in_ms: number | null
}

/** The work nobody submits. */
export function keepingHouse(schema: string) {
  return {
    rescue: (db: Queryable) =>
      call<{ id: string; state: 'queued' | 'failed' }>(db, `select * from ${schema}.rescue()`, []),
    expire: async (db: Queryable): Promise<string[]> =>
      ids(await call(db, `select expire as id from ${schema}.expire()`, [])),
    sweep: (db: Queryable) =>
      callOne<{ tasks: string; days: number }>(db, `select * from ${schema}.sweep()`, []),
    rescueSome: (db: Queryable, claims: number) =>
      callOne<Rescued>(
        db,
        `select (select count(*)::integer from ${schema}.rescue($1)) as tasks,
                (extract(epoch from ${schema}.next_rescue()) * 1000)::float8 as next_in_ms`,
        [claims],
      ),
    /** One statement for what waits for nobody: deadlines, counters, workers that left without a word. */
    tidy: (db: Queryable) =>
      done(
        call(
          db,
          `select (select count(*) from ${schema}.expire()), ${schema}.roll_up(),
                  (select count(*) from ${schema}.forget_workers()),
                  (select count(*) from ${schema}.mend_limits())`,
          [],
        ),
      ),
  }
}
