import { expect } from 'vitest'
import { faultsIn } from './books.ts'
import { range } from './crowd.ts'
import type { TestEngine } from './test-engine.ts'

const steps = 5

/** Five steps around a signal and a delay, as the handler `durable` of worker-process.mjs has them. */
const procedure = (schema: string) => `
  create procedure durable(p_n int) language plpgsql as $$
  declare
    v jsonb;
  begin
    for step in 1..${steps} loop
      if step = 3 then
        call ${schema}.await('go', v);
        call ${schema}.delay('pause', '10 milliseconds');
      end if;
      call ${schema}.step('step ' || step, format('select ${schema}.act(%s, %s)', p_n, step));
    end loop;
  end $$`

/** Its effect, and then a while in which a death undoes it; table \`brake\` makes one of them slow. */
const act = (schema: string) => `
  create function act(p_n int, p_step int) returns void language plpgsql as $$
  begin
    insert into ${schema}.effects values (p_n, p_step);
    perform pg_sleep(0.02 + coalesce((select seconds from ${schema}.brake where n = p_n), 0));
  end $$`

/** Makes what the tasks of a story need, and enqueues them: handlers and procedures by turns. */
export async function startDurables(
  engine: TestEngine,
  schema: string,
  count: number,
): Promise<string[]> {
  await engine.rows('create table effects (n int, step int)')
  await engine.rows('create table brake (n int, seconds float8)')
  await engine.rows(act(schema))
  await engine.rows(procedure(schema))
  const ids: string[] = []
  for (const n of range(count)) {
    const payload = { n, table: `${schema}.effects` }
    ids.push(
      n % 2 === 0
        ? (await engine.enqueue({ queue: 'durable', payload, maxAttempts: 100 })).id
        : await engine.value<string>(
            `select run('durable', array[$1::text], p_max_attempts => 100)::text`,
            String(n),
          ),
    )
  }
  return ids
}

export const sendGo = (engine: TestEngine, id: string) =>
  engine.rows(`select signal($1::bigint, 'go', '{"by": "ada"}')`, id)

/** Every effect once, every task done, every signal received, nothing left behind. */
export async function expectEachEffectOnce(engine: TestEngine, count: number): Promise<void> {
  expect(await engine.rows('select state, count(*)::int from finished group by 1')).toEqual([
    { state: 'done', count },
  ])
  expect(
    await engine.rows(
      'select n, array_agg(step order by step) as steps from effects group by n order by n',
    ),
  ).toEqual(range(count).map((n) => ({ n, steps: range(steps).map((step) => step + 1) })))
  expect(await engine.rows('select from signals')).toEqual([])
  expect(await faultsIn(engine)).toEqual([])
}
