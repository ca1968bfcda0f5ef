import { describe, expect } from 'vitest'
import { testRoles } from '../../support/engine.ts'
import { test as base } from '../../support/sql-tasks.ts'
import { until } from '../../support/until.ts'

interface Procedures {
  /** Makes a procedure in the schema of the engine; `E.` in its body stands for that schema. */
  make: (head: string, body: string) => Promise<void>
  /** Starts one with run(), tried once, and gives its id. */
  run: (name: string, args?: string) => Promise<string>
  /** What the steps did, in order. */
  effects: () => Promise<string[]>
}

const test = base.extend<Procedures>({
  make: async ({ engine, schema }, use) => {
    await engine.rows('create table effect (id int generated always as identity, what text)')
    await engine.rows(
      `create function act(text) returns text language sql as
       $$ insert into ${schema}.effect (what) values ($1) returning what || '!' $$`,
    )
    const made = new Set<string>()
    await use(async (head, body) => {
      made.add(head.slice(0, head.indexOf('(')))
      await engine.rows(
        `create or replace procedure ${head} language plpgsql as $p$ ${body.replaceAll('E.', `${schema}.`)} $p$`,
      )
    })
    for (const name of made) await engine.rows(`drop procedure if exists ${name}`)
    await engine.rows('drop function act')
    await engine.rows('drop table effect')
  },
  run: async ({ engine }, use) =>
    use((name, args = '{}') =>
      engine.value('select run($1, $2::text[], p_max_attempts => 1)::text', name, args),
    ),
  effects: async ({ engine }, use) =>
    use(async () => {
      const rows = await engine.rows<{ what: string }>('select what from effect order by id')
      return rows.map(({ what }) => what)
    }),
})

const failing = (code: string, words: string) => ({
  state: 'failed',
  error: { code, message: expect.stringContaining(words), hint: expect.any(String) },
})

/** What a procedure must not do, its body after a first step, the code of the error and some of its words. */
const broken = [
  ['commits by itself', `commit; call E.step('b', 'select 1');`, 'TK003', 'by itself before'],
  ['commits at its end', `call E.step('b', 'select 1'); commit;`, 'TK003', 'before its end'],
  ['rolls back', `call E.step('b', 'select 1'); rollback;`, 'TK003', 'committed or rolled back'],
  ['uses a name twice', `call E.step('a', 'select 2');`, 'TK004', `'a' is used twice`],
  [
    'calls a step where it cannot commit',
    `begin call E.step('b', 'select 1'); exception when division_by_zero then null; end;`,
    '2D000',
    '',
  ],
  [
    'catches that',
    `begin call E.step('b', 'select 1'); exception when others then null; end; insert into E.effect (what) values ('x');`,
    'TK003',
    'went on to its end after',
  ],
  [
    'commits inside of a step',
    `call E.step('b', 'do $x$ begin perform E.act(''x''); commit; end $x$');`,
    '2D000',
    'invalid transaction termination',
  ],
  ['gives a step no name', `call E.step('', 'select 1');`, 'TK004', 'needs a name'],
  ['gives a step no SQL', `call E.step('b', null);`, 'TK004', 'the SQL of the step is null'],
  ['delays for no time', `call E.delay('d');`, 'TK004', 'needs "for" or "until"'],
  [
    'stores too much',
    `call E.step('b', 'select string_agg(sha256(n::text::bytea)::text, '''') from generate_series(1, 20000) n');`,
    'TK005',
    'at most 1048576',
  ],
] as const

describe('a durable procedure', () => {
  test('runs each step once, waits without a claim, and goes on', async ({
    engine,
    make,
    run,
    effects,
    workSql,
    endOf,
  }) => {
    await make(
      'fulfil(p_order int)',
      `declare v jsonb; r record;
       begin
         call E.step('charge', format('select E.act(%L)', 'charge ' || p_order), v);
         call E.step('note', format('insert into E.effect (what) values (%L)', v #>> '{}'));
         call E.await('paid', v, p_timeout => '1 day');
         call E.step('row', format('select 1 as a, E.act(%L) as b from generate_series(1, 2)', v ->> 'by'), v);
         for r in select n from generate_series(1, 2) as n order by n loop
           call E.step('item ' || r.n, format('select E.act(%L)', 'item ' || r.n || v::text));
         end loop;
         call E.delay('cool down', '1 millisecond');
         insert into E.effect (what) values ('end');
       end`,
    )
    await workSql()
    const id = await run('fulfil', '{42}')
    await until(() => engine.value(`select state = 'waiting' from task where id = $1`, id))

    const [waiting] = await engine.rows('select claim, waits from tasks where id = $1', id)
    await engine.rows(`select signal($1::bigint, 'paid', '{"by": "ada"}')`, id)
    const { state, output } = await endOf(id)

    expect(waiting).toMatchObject({ claim: null, waits: { signals: ['paid'] } })
    expect({ state, output }).toEqual({ state: 'done', output: null })
    const row = '{"a": 1, "b": "ada!"}'
    const items = [`item 1${row}`, `item 2${row}`]
    expect(await effects()).toEqual(['charge 42', 'charge 42!', 'ada', 'ada', ...items, 'end'])
    expect(
      await engine.rows('select name, kind, state from step where task = $1 order by place', id),
    ).toMatchObject([
      { name: 'charge', kind: 'step' },
      { name: 'note' },
      { name: 'paid', kind: 'signal' },
      { name: 'row' },
      { name: 'item 1' },
      { name: 'item 2' },
      { name: 'cool down', kind: 'delay', state: 'done' },
    ])
  })

  test('goes on after the step that failed, and gives null for a time-out', async ({
    engine,
    make,
    effects,
    workSql,
    endOf,
  }) => {
    await make(
      'shaky()',
      `declare v jsonb;
       begin
         call E.await('never', v, p_timeout => '1 millisecond');
         call E.step('first', format('select E.act(%L)', coalesce(v::text, 'time-out')));
         call E.step('second', 'do $$ begin perform E.act(''undone'');
           if (select count(*) from E.attempt) < 1 then raise exception ''not yet''; end if; end $$');
       end`,
    )
    await workSql()
    const id = await engine.value<string>(
      `select run('shaky', p_options => '{}', p_max_attempts => 3)::text`,
    )
    await until(() => engine.value('select count(*) = 1 from attempt where task = $1', id))
    await engine.rows('select move($1, now())', id)

    expect(await endOf(id)).toMatchObject({ state: 'done' })
    expect(await effects()).toEqual(['time-out', 'undone'])
  })

  test('that breaks a rule fails with a clear error, and its step is undone', async ({
    make,
    run,
    effects,
    workSql,
    endOf,
  }) => {
    for (const [at, [, body]] of broken.entries())
      await make(`bad_${at}()`, `begin call E.step('a', 'select E.act(''a'')'); ${body} end`)
    await workSql()
    for (const [at, [what, , code, words]] of broken.entries())
      expect(await endOf(await run(`bad_${at}`)), what).toMatchObject(failing(code, words))
    expect(await effects()).toEqual(broken.map(() => 'a'))
  })

  test('whose steps changed while it slept fails with an error that says so, and can be retried', async ({
    engine,
    make,
    run,
    effects,
    workSql,
    endOf,
  }) => {
    const body = (name: string, more = '') =>
      `declare v jsonb; begin
         call E.step('${name}', 'select E.act(''${name}'')'${more}); call E.await('go', v); end`
    await make('changing()', body('old'))
    await workSql()
    const id = await run('changing')
    await until(() => engine.value(`select state = 'waiting' from task where id = $1`, id))
    await make('changing()', body('new'))
    await engine.rows(`select signal($1::bigint, 'go')`, id)
    const changed = await endOf(id)
    await make('changing()', body('new', ', p_is_new => true'))
    await engine.rows('select retry($1)', id)
    const back = await endOf(id)

    expect(changed).toMatchObject(
      failing('TK003', `step 'new' is not stored, but earlier runs went on to 'old', 'go'`),
    )
    expect(back).toMatchObject({ state: 'done' })
    expect(await effects()).toEqual(['old', 'new'])
  })

  test('is refused when it cannot be run, and fails when it is gone', async ({
    engine,
    make,
    run,
    workSql,
    endOf,
  }) => {
    await make('one(p int)', 'begin end')
    await make('outs(out p int)', 'begin p := 1; end')
    await make('definer()', 'begin end')
    await engine.rows('alter procedure definer() security definer')
    await make('setting()', 'begin end')
    await engine.rows(`alter procedure setting() set search_path = public`)
    const refused = (name: string, words: string, args = '{}') =>
      expect(run(name, args)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining(words),
      })

    await refused('nowhere', 'there is no procedure nowhere')
    await refused('no.where', 'there is no procedure no.where')
    await refused('act(', 'named with its schema')
    await refused('act', 'is a function', '{x}')
    await refused('one', 'takes 1 arguments, not 0')
    await refused('outs', 'has OUT arguments')
    await refused('definer', 'is SECURITY DEFINER')
    await refused('setting', 'has a SET clause')
    await expect(engine.rows(`call step('a', 'select 1')`)).rejects.toMatchObject({
      code: 'wrong_state',
      message: expect.stringContaining('outside of a durable procedure'),
    })
    const id = await run('one', '{1}')
    await engine.rows('drop procedure one')
    await workSql()
    expect(await endOf(id)).toMatchObject({
      state: 'failed',
      error: { code: 'invalid_payload', message: expect.stringContaining('there is no procedure') },
    })
  })

  test('runs as a role without other rights, on a login of its own', async ({
    db,
    engine,
    schema,
    make,
    effects,
    weakLogin,
    workSql,
    endOf,
  }) => {
    const { role, url } = weakLogin
    await make('weak()', `begin call E.step('a', 'select E.act(session_user::text)'); end`)
    await db.query(`grant ${testRoles}_producer to ${role}`)
    await db.query(`grant insert, select on ${schema}.effect to ${role}`)
    await db.query(`grant execute on all functions in schema ${schema} to ${role}`)
    await db.query(`revoke execute on all functions in schema ${schema} from ${role}`)
    await db.query(`grant execute on function ${schema}.act(text) to ${role}`)
    await workSql({ logins: { [role]: url } })
    const run = (options: object) =>
      engine.value<string>(
        `select run('weak', p_max_attempts => 1, p_options => $1)::text`,
        options,
      )
    try {
      expect(await endOf(await run({ role }))).toMatchObject({ state: 'done' })
      // A session cannot speak for another task: its token does not fit.
      const forged = `select set_config('tusk.run', '{"schema": "${schema}", "task": 1, "claim": 1, "token": "x"}', false)`
      const client = await db.connect()
      await client.query(`set role ${role}; ${forged}`)
      await expect(
        client.query(`select ${schema}.keep_step('a', '1', now())`),
      ).rejects.toMatchObject({ code: 'TK003' })
      client.release(true)
      expect(await effects()).toEqual([role])
    } finally {
      await db.query(`drop owned by ${role}`)
    }
  })
})
