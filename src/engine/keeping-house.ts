import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done, ids } from './call.ts'

/** The work nobody submits. */
export function keepingHouse(schema: string) {
  return {
    rescue: (db: Queryable) =>
      call<{ id: string; state: 'queued' | 'failed' }>(db, `select * from ${schema}.rescue()`, []),
    expire: async (db: Queryable): Promise<string[]> =>
      ids(await call(db, `select expire as id from ${schema}.expire()`, [])),
    sweep: (db: Queryable) =>
      callOne<{ tasks: string; days: number }>(db, `select tasks, days from ${schema}.sweep()`, []),
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
