import { expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/processes.ts'
import { until } from '../support/until.ts'

const count = 30
const procedure = (schema: string) => `
  create procedure durable(p_n int) language plpgsql as $$
  declare
    v jsonb;
  begin
    for step in 1..5 loop
      if step = 3 then
        call ${schema}.await('go', v);
        call ${schema}.delay('pause', '10 milliseconds');
      end if;
      call ${schema}.step('step ' || step, format(
        'do $do$ begin insert into ${schema}.effects values (%1$s, %2$s); perform pg_sleep(0.02 + coalesce((select seconds from ${schema}.brake where n = %1$s), 0)); end $do$', p_n, step));
    end loop;
  end $$`

test('durable tasks whose workers are killed between steps have each effect once, and none is stranded', {
  timeout: 300_000,
}, async ({ engine, schema, spawnWorker }) => {
  await engine.rows('create table effects (n int, step int)')
  // The session of this one outlives its worker and the lease, in the middle of a step.
  await engine.rows('create table brake as select 1 as n, 5 as seconds')
  await engine.rows(procedure(schema))
  const ids: string[] = []
  for (const n of range(count)) {
    const handler = {
      queue: 'durable',
      payload: { n, table: `${schema}.effects` },
      maxAttempts: 100,
    }
    ids.push(
      n % 2 === 0
        ? (await engine.enqueue(handler)).id
        : await engine.value<string>(
            `select run('durable', array[$1::text], p_max_attempts => 100)::text`,
            String(n),
          ),
    )
  }
  const options = { sql: true, leaseMs: 2_000, concurrency: 4 }
  const effects = () => engine.value<number>('select count(*)::int from effects')
  for (const round of range(3)) {
    const worker = await spawnWorker(options)
    const before = await effects()
    // Signals come before, while and after the tasks wait for them.
    for (const id of ids.slice(round * 10, round * 10 + 10))
      await engine.rows(`select signal($1::bigint, 'go', '{"by": "ada"}')`, id)
    await until(async () => (await effects()) > Math.min(before + 20, count * 5 - 20))
    worker.send('SIGKILL')
    await worker.ended
    await engine.rows('delete from brake')
  }
  await spawnWorker(options)
  await until(() => engine.value('select not exists (select from tasks)'))

  const isAsleep = `select exists (select from pg_stat_activity where wait_event = 'PgSleep' and query like $1)`
  await until(async () => !(await engine.value(isAsleep, `%${schema}%durable%`)))
  expect(await engine.rows('select state, count(*)::int from finished group by 1')).toEqual([
    { state: 'done', count },
  ])
  expect(
    await engine.rows(
      'select n, array_agg(step order by step) as steps from effects group by n order by n',
    ),
  ).toEqual(range(count).map((n) => ({ n, steps: [1, 2, 3, 4, 5] })))
  expect(await engine.rows('select from signals')).toEqual([])
  expect(
    await engine.value(`select count(*)::int from attempt where reason = 'lost'`),
  ).toBeGreaterThan(0)
  expect(await faultsIn(engine)).toEqual([])
})
