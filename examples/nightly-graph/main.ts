// A nightly graph of SQL tasks: two tables are filled in parallel, then a report runs, then a clean-up,
// which runs even if the others failed.
import { startWorker, Tusk } from 'pgtusk'

const tusk = await Tusk.open()
const db = tusk.pool

await db.query(
  'create table visits (n int); create table sales (n int); create table report (n int)',
)
const { rows } = await db.query<{ night: string[] }>(`
  with filled as (
    select tusk.sql('insert into public.visits select generate_series(1, 10)') as visits,
           tusk.sql('insert into public.sales select generate_series(1, 5)') as sales
  ), reported as (
    select visits, sales, tusk.sql(
      'insert into public.report select (select count(*) from public.visits) + (select count(*) from public.sales)',
      p_after => array[visits, sales], p_after_failure => 'skip') as report
    from filled
  )
  select array[report, tusk.sql('truncate public.visits, public.sales',
    p_after => array[visits, sales, report], p_after_failure => 'run')]::text[] as night
  from reported`)
const states = () =>
  db.query<{ state: string }>('select state from tusk.task where queue = $1 order by id', ['sql'])
console.log((await states()).rows.map(({ state }) => state))

const worker = await startWorker({ database: db, sql: true, logger: false })
await tusk.waitForEnd(rows[0]?.night[1] ?? '')
console.log((await states()).rows.map(({ state }) => state))
console.log((await db.query('select n from report')).rows)
console.log((await db.query('select count(*)::int as visits from visits')).rows)
await worker.stop()
await tusk.close()
