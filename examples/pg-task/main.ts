import { setTimeout as pause } from 'node:timers/promises'
import { createTaskTable, installDialect, startWorker, Tusk } from 'pgtusk'

const tusk = await Tusk.open()
await installDialect(tusk.pool, { dialect: 'pg-task' })
const queue = await createTaskTable(tusk.pool)
const worker = await startWorker({
  database: tusk.pool,
  queues: [queue],
  sql: { allowConnectionStrings: true },
  signals: false,
  logger: false,
})

const sql = async (text: string) => (await tusk.pool.query(text)).rows
const until = async (condition: string) => {
  while ((await sql(`SELECT FROM task WHERE ${condition}`)).length === 0) await pause(20)
}

// As soon as possible. An error is stored with its task.
await sql(`INSERT INTO task (input) VALUES ('SELECT now()')`)
await sql(`INSERT INTO task (input) VALUES ('SELECT 1/0')`)
await until(`state = 'FAIL'`)
console.log(await sql(`SELECT state, error FROM task ORDER BY id`))

// In five minutes, at a date, and every five minutes.
await sql(`INSERT INTO task (plan, input) VALUES (now() + '5 min'::INTERVAL, 'SELECT now()')`)
await sql(`INSERT INTO task (plan, input) VALUES ('2029-07-01 12:51:00', 'SELECT now()')`)
await sql(`INSERT INTO task (repeat, input) VALUES ('5 min', 'SELECT now()')`)
await until('parent IS NOT NULL')
console.log(await sql(`SELECT count(*) AS planned FROM task WHERE state = 'PLAN'`))

// Two at a time, and a task that may run beside them as the third.
await sql(
  `INSERT INTO task (max, input) SELECT 1, 'SELECT pg_sleep(10)' FROM generate_series(1, 10)`,
)
await until(`max = 1 AND state = 'WORK'`)
await sql(`INSERT INTO task (max, input) VALUES (2, 'SELECT now()')`)
await until(`max = 2 AND state = 'DONE'`)

// Each group has its own limit: two tasks of each run.
await sql(
  `INSERT INTO task ("group", max, input) SELECT 'one', 1, 'SELECT pg_sleep(10)' FROM generate_series(1, 10)`,
)
await sql(
  `INSERT INTO task ("group", max, input) SELECT 'two', 1, 'SELECT pg_sleep(10)' FROM generate_series(1, 10)`,
)
const running = `SELECT "group", count(*) AS running FROM task WHERE state IN ('TAKE', 'WORK') GROUP BY 1 ORDER BY 1`
while ((await sql(running)).reduce((sum, row) => sum + Number(row.running), 0) < 6) await pause(20)
console.log(await sql(running))

// One after the other, with five seconds between them; and one that takes too long.
await sql(
  `INSERT INTO task ("group", max, input) SELECT 'slow', -5000, 'SELECT pg_sleep(10)' FROM generate_series(1, 10)`,
)
await sql(
  `INSERT INTO task ("group", timeout, input) VALUES ('late', '1 sec', 'SELECT pg_sleep(10)')`,
)
await until(`"group" = 'late' AND state = 'FAIL'`)
console.log(await sql(`SELECT error FROM task WHERE "group" = 'late'`))

// Deletes the tasks that wait, and stops those that run.
await sql(`DELETE FROM task WHERE state = 'PLAN'`)
await sql(`UPDATE task SET state = 'STOP' WHERE state IN ('TAKE', 'WORK')`)
console.log(await sql(`SELECT state, count(*) FROM task GROUP BY 1 ORDER BY 1`))

await worker.stop()
await tusk.close()
