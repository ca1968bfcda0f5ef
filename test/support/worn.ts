import type { TestEngine } from './test-engine.ts'
import { until } from './until.ts'

/**
 * Leaves that many dead rows in the table of keys, and no vacuum on record. The schema may have been
 * another file's a moment ago, and sessions tell their statistics late, also that of a table that was
 * emptied or vacuumed before the test: then the rows are made again.
 */
export async function wearKeys(engine: TestEngine, rows: number): Promise<void> {
  await engine.rows('alter table keys set (autovacuum_enabled = off)')
  let looks = 0
  await until(async () => {
    if (looks % 200 === 0) await makeDeadKeys(engine, rows)
    looks += 1
    return engine.value(
      `select n_dead_tup >= $1 and last_vacuum is null and last_autovacuum is null
       from pg_stat_user_tables where relid = 'keys'::regclass`,
      rows,
    )
  })
}

async function makeDeadKeys(engine: TestEngine, rows: number): Promise<void> {
  await engine.rows('truncate keys')
  await engine.rows(`select pg_stat_reset_single_table_counters('keys'::regclass)`)
  await engine.rows(
    `insert into keys (queue, key, task) select 'mail', n::text, n from generate_series(1, $1::int) as n`,
    rows,
  )
  await engine.rows('delete from keys')
}
