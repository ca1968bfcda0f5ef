import { describe, expect } from 'vitest'
import { test } from './background.ts'

describe('pg_background_result', () => {
  test('gives typed rows, as often as wanted and from any session', async ({
    launch,
    workBackground,
    session,
  }) => {
    await workBackground()
    const id = await launch(
      `select i, i * 1.5 as half, 'n' || i as name, date '2026-01-01' + i as day, array[i, null] as list,
              '{"a": 1}'::jsonb as doc, null::text as nothing
       from generate_series(1, 2) as i`,
    )

    for (const client of [await session(), await session()]) {
      const { rows } = await client.query(
        `select i, half, name, day::text, list, doc, nothing
         from pg_background_result($1) as (i integer, half numeric, name text, day date, list integer[], doc jsonb, nothing text)`,
        [id],
      )
      expect(rows).toEqual([
        {
          i: 1,
          half: '1.5',
          name: 'n1',
          day: '2026-01-02',
          list: [1, null],
          doc: { a: 1 },
          nothing: null,
        },
        {
          i: 2,
          half: '3.0',
          name: 'n2',
          day: '2026-01-03',
          list: [2, null],
          doc: { a: 1 },
          nothing: null,
        },
      ])
    }
  })

  test('gives dates and intervals as they were meant, to every reader', async ({
    workBackground,
    session,
  }) => {
    await workBackground()
    const writer = await session()
    await writer.query(
      `set datestyle = 'SQL, DMY'; set intervalstyle = 'sql_standard'; set timezone = 'Asia/Kolkata'`,
    )
    const { rows: launched } = await writer.query<{ id: string }>(
      `select pg_background_launch($sql$
         select date '01/02/2026' as day, interval '-1 day -2:03:04' as span, timestamptz '2026-02-01 12:00+00' as at
       $sql$) as id`,
    )

    for (const style of ['ISO, MDY', 'German, DMY', 'SQL, MDY']) {
      const reader = await session()
      await reader.query(`set timezone = 'America/New_York'`)
      await reader.query(`select set_config('datestyle', $1, false)`, [style])
      await reader.query('begin')
      const { rows } = await reader.query(
        `select day = '2026-02-01'::date as day, span = interval '-1 day' - interval '2:03:04' as span,
                at = timestamptz '2026-02-01 12:00+00' as at
         from pg_background_result($1) as (day date, span interval, at timestamptz)`,
        [launched[0]?.id],
      )
      const { rows: after } = await reader.query(
        `select current_setting('datestyle') as style, current_setting('intervalstyle') as spans, current_setting('timezone') as zone`,
      )

      expect(rows).toEqual([{ day: true, span: true, at: true }])
      expect(after).toEqual([{ style, spans: 'postgres', zone: 'America/New_York' }])
    }
  })

  test('gives every row, however many, and long values whole', async ({
    launch,
    workBackground,
    ask,
  }) => {
    await workBackground()
    const many = await launch('select n from generate_series(1, 200000) as n')
    const long = await launch(`select repeat('ab', 2000000) as t`)

    expect(
      await ask(
        `select array[count(*), min(n), max(n)]::text from pg_background_result($1) as (n integer)`,
        many,
      ),
    ).toBe('{200000,1,200000}')
    expect(
      await ask(`select t = repeat('ab', 2000000) from pg_background_result($1) as (t text)`, long),
    ).toBe(true)
  })

  test('gives a value as text whose type can only be written', async ({
    launch,
    workBackground,
    ask,
  }) => {
    await workBackground()
    const id = await launch('select row(1, 2) as pair')

    expect(await ask('select * from pg_background_result($1) as (pair text)', id)).toBe('(1,2)')
    expect(await ask('select pg_background_rows($1)', id)).toEqual({ pair: '(1,2)' })
  })

  test('refuses a column list of other types, as the original does', async ({
    launch,
    workBackground,
    ask,
  }) => {
    await workBackground()
    const id = await launch('select 1')

    await expect(
      ask('select * from pg_background_result($1) as (n bigint)', id),
    ).rejects.toMatchObject({ code: '42804' })
  })

  test.for([
    ['create temp table t ()', 'CREATE TABLE'],
    ['vacuum pg_namespace', 'VACUUM'],
    ['select 1; delete from pg_class where false', 'DELETE 0'],
  ])('gives the command tag of %s', async ([sql, tag], { launch, workBackground, ask }) => {
    await workBackground()
    const id = await launch(sql as string)

    expect(await ask('select * from pg_background_result($1) as (tag text)', id)).toBe(tag)
  })

  test('gives the rows of the last statement', async ({ launch, workBackground, ask }) => {
    await workBackground()
    const id = await launch('create temp table t (a int); select 2')

    expect(await ask('select * from pg_background_result($1) as (n integer)', id)).toBe(2)
  })

  test('raises the error of the task as it was', async ({ launch, workBackground, ask }) => {
    await workBackground()
    const id = await launch(
      `do $$ begin raise exception 'no' using errcode = 'P1234', detail = 'too late', hint = 'come earlier'; end $$`,
    )

    await expect(
      ask('select * from pg_background_result($1) as (n integer)', id),
    ).rejects.toMatchObject({
      code: 'P1234',
      message: 'no',
      detail: 'too late',
      hint: 'come earlier',
    })
  })

  test('raises the names of what an error is about', async ({
    launch,
    workBackground,
    ask,
    bg,
  }) => {
    await workBackground()
    const table = `pg_background_${process.hrtime.bigint()}`
    await bg.query(`create table public.${table} (n int primary key)`)
    const id = await launch(`insert into public.${table} values (1), (1)`)

    await expect(
      ask('select * from pg_background_result($1) as (n text)', id),
    ).rejects.toMatchObject({
      code: '23505',
      table,
      constraint: `${table}_pkey`,
      detail: 'Key (n)=(1) already exists.',
    })
    await bg.query(`drop table public.${table}`)
  })

  test('relays the notices of the task, also before its error', async ({
    launch,
    workBackground,
    session,
  }) => {
    await workBackground()
    const client = await session()
    const heard: string[] = []
    client.on('notice', ({ message }) => heard.push(message ?? ''))
    await client.query('set client_min_messages to notice')

    for (const sql of [
      `do $$ begin raise notice 'one'; end $$`,
      `do $$ begin raise notice 'two'; perform 1/0; end $$`,
    ])
      await client
        .query('select * from pg_background_result($1) as (tag text)', [await launch(sql)])
        .catch(() => {})

    expect(heard).toEqual(['one', 'two'])
  })

  test('has no column list as JSON', async ({ launch, workBackground, bg }) => {
    await workBackground()
    const id = await launch(
      `select 1 as n, true as yes, '{"a": [1]}'::jsonb as doc, null as nothing`,
    )

    const { rows } = await bg.query('select value from pg_background_rows($1) as value', [id])

    expect(rows).toEqual([{ value: { n: 1, yes: true, doc: { a: [1] }, nothing: null } }])
  })

  test('gives no rows of a task that was submitted', async ({ workBackground, ask, bg }) => {
    await workBackground()
    const { rows } = await bg.query(`select * from pg_background_submit('select 1')`)
    const { pid, cookie } = rows[0]
    await ask('select pg_background_wait($1, $2)', pid, cookie)

    await expect(
      ask('select * from pg_background_result($1, $2) as (n integer)', pid, cookie),
    ).rejects.toMatchObject({ code: '55000' })
    expect(await ask('select (pg_background_outcome($1)).row_count', pid)).toBe('1')
  })

  test('reads values with the rights of the caller, not of the dialect', async ({
    workBackground,
    ask,
    bg,
    session,
  }) => {
    // A type whose input calls a function of its owner.
    const name = `trap_${process.hrtime.bigint()}`
    await bg.query(`
      create role ${name}; grant create on schema public to ${name}; grant tusk_test_operator to ${name}`)
    const client = await session()
    await client.query(`set role ${name}`)
    await client.query(`
      create table public.${name} (who text);
      create function public.${name}_check(text) returns boolean language plpgsql as
        $$ begin insert into public.${name} values (current_user); return true; end $$;
      create domain public.${name}_word as text check (public.${name}_check(value))`)
    await workBackground()
    const { rows } = await client.query(
      `select pg_background_launch('select array[''x'']::public.${name}_word[]') as id`,
    )
    await client.query('select pg_background_wait($1)', [rows[0].id])
    await client.query(`truncate public.${name}`)

    await client.query(`select * from pg_background_result($1) as (x public.${name}_word[])`, [
      rows[0].id,
    ])

    expect(await ask(`select distinct who from public.${name}`)).toBe(name)
    await client.query('reset role')
    await bg.query(
      `drop domain public.${name}_word; drop function public.${name}_check(text); drop table public.${name};
       revoke create on schema public from ${name}; drop role ${name}`,
    )
  })

  test('does not run checks and casts of the launcher for a reader who names no types', async ({
    workBackground,
    ask,
    bg,
    session,
  }) => {
    const name = `lure_${process.hrtime.bigint()}`
    await bg.query(`
      create role ${name}; grant create on schema public to ${name}; grant tusk_test_operator to ${name}`)
    const client = await session()
    await client.query(`set role ${name}`)
    await client.query(`
      create table public.${name} (who text); grant insert on public.${name} to public;
      create function public.${name}_check(text) returns boolean language plpgsql as
        $$ begin insert into public.${name} values (current_user); return true; end $$;
      create domain public.${name}_word as text check (public.${name}_check(value));
      create type public.${name}_row as (a int, b public.${name}_word);
      create type public.${name}_mood as enum ('fine');
      create function public.${name}_json(public.${name}_mood) returns json language plpgsql as
        $$ begin insert into public.${name} values (current_user); return '1'; end $$;
      create cast (public.${name}_mood as json) with function public.${name}_json(public.${name}_mood)`)
    await workBackground()
    const { rows } = await client.query(
      `select pg_background_launch($$select array['x']::public.${name}_word[] as words, row(1, 'y')::public.${name}_row as "row",
        'fine'::public.${name}_mood as mood, 7 as n$$) as id`,
    )
    await client.query('select pg_background_wait($1)', [rows[0].id])
    await client.query(`truncate public.${name}`)

    const read = await ask('select pg_background_rows($1)', rows[0].id)
    const own = await client.query('select pg_background_rows($1) as value', [rows[0].id])

    expect(read).toEqual({ words: '{x}', row: '(1,y)', mood: 'fine', n: 7 })
    expect(own.rows[0].value).toMatchObject({ words: ['x'], row: { a: 1, b: 'y' }, n: 7 })
    expect(await ask(`select array_agg(distinct who) from public.${name}`)).toEqual([name])
    await client.query('reset role')
    await bg.query(`drop owned by ${name} cascade; drop role ${name}`)
  })
})
