import { installDialect, startWorker, Tusk } from 'pgtusk'

const tusk = await Tusk.open()
await installDialect(tusk.pool, { dialect: 'pg-background' })
const worker = await startWorker({
  database: tusk.pool,
  sql: true,
  queues: ['pg_background'],
  logger: false,
})

// From here on everything is SQL, so you could use psql as well.
const session = await tusk.pool.connect()
await session.query('set search_path to background, public')
const ask = async (sql: string) => (await session.query(sql)).rows

// Returns at once. The last number says how often the task may be retried.
const [napping] = await ask(`SELECT pg_background_launch('SELECT pg_sleep(1)', 65536, 2) as id`)

// At most one task of the topic at a time, and half a second between two starts.
await ask(
  `select pg_background_set_topic('mail', '{"max_parallel_running_tasks_count": 1, "delay_in_sec": 0.5}')`,
)
await ask(
  `select pg_background_launch('select ' || n || ' as letter', 65536, 'mail') from generate_series(1, 2) as n`,
)

// Results are typed rows. You can read them in any session, as often as you like.
const [counted] = await ask(
  `select pg_background_launch('select count(*) from generate_series(1, 1000)') as id`,
)
console.log(await ask(`select * from pg_background_result(${counted.id}) as (count bigint)`))

// An error of the task is raised again.
const [broken] = await ask(`select pg_background_launch('select 1/0') as id`)
await ask(`select * from pg_background_result(${broken.id}) as (n integer)`).catch((error) =>
  console.log(`${error.code}: ${error.message}`),
)

await ask(`select pg_background_wait(${napping.id})`)
await ask(`select pg_background_wait(id) from pg_background_tasks where topics = '{mail}'`)
for (const task of await ask(
  'select sql_statement, state, errors from pg_background_tasks order by id',
))
  console.log(`${task.sql_statement}: ${task.state}`, task.errors ?? '')

session.release(true)
await worker.stop()
await tusk.close()
