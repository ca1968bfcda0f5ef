import { expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/sql-tasks.ts'
import { until } from '../support/until.ts'

/** `TUSK_FAULT_SEEDS=1000` runs as many; CI runs a few. */
const seeds = Number(process.env['TUSK_FAULT_SEEDS'] ?? 25)
const steps = 20
const signalAfter = 10

/**
 * A procedure of 20 steps whose session dies at places that the seed and the claim choose: before an effect, between
 * the effect and its checkpoint, while that is stored, and between steps.
 */
const procedure = (schema: string) => `
  create table effects (seed int, step int);
  create function die_perhaps(p_seed int, p_place int) returns void language plpgsql as $$
  begin
    if abs(hashint8((p_seed * 1000 + p_place) # ((current_setting('tusk.run')::jsonb ->> 'claim')::bigint << 20))) % 40 = 0 then
      perform pg_terminate_backend(pg_backend_pid());
      perform pg_sleep(10);
    end if;
  end $$;
  create function act(p_seed int, p_step int) returns int language plpgsql as $$
  begin
    perform ${schema}.die_perhaps(p_seed, p_step * 3);
    insert into ${schema}.effects values (p_seed, p_step);
    perform ${schema}.die_perhaps(p_seed, p_step * 3 + 1);
    return p_step;
  end $$;
  create function die_in_checkpoint() returns trigger language plpgsql as $$
  begin
    perform ${schema}.die_perhaps(hashtext(new.task || new.name) % 1000000, 0);
    return new;
  end $$;
  create trigger die before insert on steps for each row execute function die_in_checkpoint();
  create procedure faulty(p_seed int) language plpgsql as $$
  declare
    v     jsonb;
    v_sum int := 0;
  begin
    for n in 1..${steps} loop
      perform ${schema}.die_perhaps(p_seed, n * 3 + 2);
      call ${schema}.step('step ' || n, format('select ${schema}.act(%s, %s)', p_seed, n), v);
      v_sum := v_sum + v::int;
      if n = ${signalAfter} then
        call ${schema}.await('go', v);
        v_sum := v_sum + v::int;
        call ${schema}.delay('pause', '1 millisecond');
      end if;
    end loop;
    insert into ${schema}.effects values (p_seed, v_sum);
  end $$`

test('a durable procedure whose session dies anywhere has each effect once, and loses no signal', {
  timeout: 60_000 + seeds * 1_000,
}, async ({ engine, db, schema, workSql }) => {
  await db.query(`set search_path = ${schema}; ${procedure(schema)}; reset search_path`)
  await engine.setQueue('sql', { backoff: { kind: 'none' } })
  await workSql()
  const ids = new Map<number, string>()
  for (const seed of range(seeds)) {
    const id = await engine.value<string>(
      `select run($1, array[$2::text], p_max_attempts => 1000)::text`,
      `${schema}.faulty`,
      String(seed),
    )
    ids.set(seed, id)
    // Before the procedure comes to it, at about that time, or long after.
    if (seed % 3 === 0) await engine.rows(`select signal($1::bigint, 'go', '1000')`, id)
  }
  for (const [seed, id] of ids) {
    if (seed % 3 === 0) continue
    if (seed % 3 === 1)
      await until(() => engine.value(`select state = 'waiting' from task where id = $1`, id))
    await engine.rows(`select signal($1::bigint, 'go', '1000')`, id)
  }
  await until(() => engine.value('select not exists (select from tasks)'))

  const died = await engine.value<number>(
    `select count(*)::int from attempt where error ->> 'code' in ('57P01', 'connection_lost')`,
  )
  expect(died).toBeGreaterThan(seeds / 5)
  expect(await engine.rows('select state, count(*)::int from finished group by state')).toEqual([
    { state: 'done', count: seeds },
  ])
  const sum = (steps * (steps + 1)) / 2 + 1000
  const expected = range(seeds).map((seed) => ({
    seed,
    effects: [...range(steps).map((n) => n + 1), sum],
  }))
  expect(
    await engine.rows(
      'select seed, array_agg(step order by step) as effects from effects group by seed order by seed',
    ),
  ).toEqual(expected)
})
