import type { Queryable } from '../db/queryable.ts'
import { call, done, ids } from './call.ts'
import { inRounds } from './in-rounds.ts'
import { type Json, type Task, taskColumns } from './task.ts'

/** What an operator can edit after reading it. */
export type Editable = 'queue' | 'group' | 'schedule' | 'task'

/** What operators do with tasks, queues and groups. */
export function operating(schema: string) {
  return {
    task: async (db: Queryable, id: string): Promise<Task | null> => {
      const text = `select ${taskColumns} from ${schema}.task
        where id = $1 and row_id = any (${schema}.rows_of(array[$1::bigint]))`
      return (await call<Task>(db, text, [id]))[0] ?? null
    },
    cancel: (db: Queryable, id: string) => done(call(db, `select ${schema}.cancel($1)`, [id])),
    cancelMany: (db: Queryable, given: readonly string[]): Promise<string[]> =>
      inRounds(given, async (part) =>
        ids(await call(db, `select cancel_many as id from ${schema}.cancel_many($1)`, [part])),
      ),
    killRunning: (db: Queryable, id: string, error: Json = null) =>
      done(
        call(db, `select ${schema}.kill_running($1, $2)`, [
          id,
          error === null ? null : JSON.stringify(error),
        ]),
      ),
    // biome-ignore lint/nursery/noMisusedPromises: an object of functions; the rule takes it for what they return.
    ...retrying(schema),
    move: (db: Queryable, id: string, runAt: Date) =>
      done(call(db, `select ${schema}.move($1, $2)`, [id, runAt])),
    amend: (db: Queryable, id: string, changes: Json) =>
      done(call(db, `select ${schema}.amend($1, $2)`, [id, JSON.stringify(changes)])),
    deleteMany: (db: Queryable, given: readonly string[]): Promise<string[]> =>
      inRounds(given, async (part) =>
        ids(await call(db, `select delete_many as id from ${schema}.delete_many($1)`, [part])),
      ),
    delete: (db: Queryable, id: string) => done(call(db, `select ${schema}.delete($1)`, [id])),
    /** Locks the object until the end of the transaction. */
    lockForEdit: (db: Queryable, kind: Editable, name: string) =>
      done(call(db, `select ${schema}.lock_for_edit($1, $2)`, [kind, name])),
    pause: (db: Queryable, queue: string) => done(call(db, `select ${schema}.pause($1)`, [queue])),
    resume: (db: Queryable, queue: string) =>
      done(call(db, `select ${schema}.resume($1)`, [queue])),
    setQueue: (db: Queryable, queue: string, settings: Json) =>
      done(call(db, `select ${schema}.set_queue($1, $2)`, [queue, JSON.stringify(settings)])),
    setGroup: (db: Queryable, group: string, settings: Json) =>
      done(call(db, `select ${schema}.set_group($1, $2)`, [group, JSON.stringify(settings)])),
    pauseGroup: (db: Queryable, group: string) =>
      done(call(db, `select ${schema}.pause_group($1)`, [group])),
    /** Asks a worker to claim no more tasks and to stop when its running tasks have ended. */
    drainWorker: (db: Queryable, worker: string) =>
      done(call(db, `select ${schema}.drain_worker($1)`, [worker])),
    resumeGroup: (db: Queryable, group: string) =>
      done(call(db, `select ${schema}.resume_group($1)`, [group])),
  }
}

function retrying(schema: string) {
  return {
    /** `from` names a step: it and all later steps are forgotten. */
    retry(
      db: Queryable,
      id: string,
      runAt: Date | null = null,
      payload?: Json,
      from: string | null = null,
    ): Promise<void> {
      const json = payload === undefined ? null : JSON.stringify(payload)
      return done(call(db, `select ${schema}.retry($1, $2, $3, $4)`, [id, runAt, json, from]))
    },
  }
}
