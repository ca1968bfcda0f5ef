import { randomBytes } from 'node:crypto'
import { describe, expect, inject } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { installDialect } from '../../../src/dialects/install-dialect.ts'
import { testRoles } from '../../support/engine.ts'
import { until } from '../../support/until.ts'
import { test } from './background.ts'

describe('pg_background_launch', () => {
  test('stores the task, answers with its id, and the task runs', async ({
    launch,
    workBackground,
    endOf,
    ask,
  }) => {
    await workBackground()

    const id = await launch('select 40 + 2 as answer')

    expect(id).toMatch(/^\d+$/)
    expect(await endOf(id)).toMatchObject({ state: 'finished', retry_count: 0, errors: null })
    expect(await ask('select answer from pg_background_result($1) as (answer integer)', id)).toBe(
      42,
    )
  })

  test('takes any number of tasks while no worker is free', async ({ bg, ask }) => {
    await bg.query(`select pg_background_launch('select 1') from generate_series(1, 300)`)

    expect(await ask(`select count(*)::int from pg_background_tasks where state = 'pending'`)).toBe(
      300,
    )
  })

  test('is part of the transaction that calls it', async ({ session, ask }) => {
    const client = await session()
    await client.query('begin')
    await client.query(`select pg_background_launch('select 1')`)
    expect(await ask('select count(*)::int from pg_background_tasks')).toBe(0)

    await client.query('rollback')

    expect(await ask('select count(*)::int from pg_background_tasks')).toBe(0)
  })

  test("takes the paper's example call; its third argument is the number of retries", async ({
    launch,
    engine,
  }) => {
    const id = await launch('SELECT pg_sleep(1)', '65536, 2')

    expect(await engine.value('select max_attempts from tasks where id = $1', id)).toBe(3)
  })

  test.for([
    [`65536, 'mail'`, ['mail']],
    [`65536, 'mail', 'slow'`, ['mail', 'slow']],
    [`65536, array['mail', 'slow']`, ['mail', 'slow']],
    [`topics => array['mail']`, ['mail']],
    [`65536, array[]::text[]`, []],
  ] as const)('takes topics as %s', async ([options, topics], { launch, ask }) => {
    const id = await launch('select 1', options)

    expect(await ask('select topics from pg_background_tasks where id = $1', id)).toEqual(topics)
  })

  test.for([
    [`65536, '{mail,slow}'`, 'looks like an array'],
    [`65536, ''`, 'no name'],
    [`65536, 'a', 'a'`, 'named twice'],
    [`65536, array(select i::text from generate_series(1, 10) i)`, 'at most 9'],
    [`-1`, 'queue_size cannot be -1'],
    [`65536, -2`, 'retry_count cannot be -2'],
    [`retry_count => 2147483647`, 'retry_count cannot be 2147483647'],
    [`timeout_ms => -5`, 'timeout_ms cannot be -5'],
  ])('refuses %s and stores nothing', async ([options, why], { launch, ask }) => {
    await expect(launch('select 1', options)).rejects.toMatchObject({
      code: '22023',
      message: expect.stringContaining(why as string),
      hint: expect.stringContaining('Topics'),
    })
    expect(await ask('select count(*)::int from pg_background_tasks')).toBe(0)
  })

  test('refuses to launch nothing', async ({ ask }) => {
    await expect(ask('select pg_background_launch(null)')).rejects.toMatchObject({
      code: '22023',
      message: expect.stringContaining('no SQL'),
    })
  })

  test("runs with the caller's search path, time zone and role", async ({
    session,
    workBackground,
    endOf,
    ask,
    dialect,
  }) => {
    await workBackground()
    const client = await session()
    await client.query(`set search_path to ${dialect}, pg_catalog; set timezone to 'Asia/Tokyo'`)

    const { rows } = await client.query(
      `select pg_background_launch($$select current_setting('search_path'), current_setting('timezone'), current_user::text$$) as id`,
    )

    await endOf(rows[0].id)
    const { rows: seen } = await client.query(
      'select * from pg_background_result($1) as (path text, zone text, who text)',
      [rows[0].id],
    )
    expect(seen).toEqual([
      {
        path: `${dialect}, pg_catalog`,
        zone: 'Asia/Tokyo',
        who: await ask('select current_user'),
      },
    ])
  })

  test('does not wait for the task', async ({ launch, ask }) => {
    const id = await launch('select pg_sleep(3600)')

    expect(await ask('select state from pg_background_tasks where id = $1', id)).toBe('pending')
  })
})

describe('the table to watch', () => {
  test('has the columns of the paper, with time zones', async ({ launch, bg }) => {
    await launch('select 1', `65536, 'mail'`)

    const { rows, fields } = await bg.query('select * from pg_background_tasks')

    expect(fields.map(({ name }) => name)).toEqual([
      'id',
      'sql_statement',
      'joined_at',
      'started_at',
      'closed_at',
      'state',
      'retry_count',
      'retry_delay_in_sec',
      'topics',
      'errors',
    ])
    expect(fields[2]?.dataTypeID).toBe(1184)
    expect(rows).toEqual([
      {
        id: '1',
        sql_statement: 'select 1',
        joined_at: expect.any(Date),
        started_at: null,
        closed_at: null,
        state: 'pending',
        retry_count: 0,
        retry_delay_in_sec: 0,
        topics: ['mail'],
        errors: null,
      },
    ])
  })

  test('shows a task as running while it runs', async ({
    launch,
    workBackground,
    ask,
    session,
    endOf,
  }) => {
    await workBackground()
    const holder = await session()
    await holder.query('select pg_advisory_lock(51)')

    const id = await launch('select pg_advisory_lock(51)')

    await until(() =>
      ask(
        `select state = 'running' and started_at is not null from pg_background_tasks where id = $1`,
        id,
      ),
    )
    await until(() =>
      ask(
        `select backend_state = 'active' and wait_event = 'advisory' and query like '%pg_advisory_lock(51)%'
         from pg_background_activity where pid = $1`,
        id,
      ),
    )
    await holder.query('select pg_advisory_unlock(51)')
    expect(await endOf(id)).toMatchObject({ state: 'finished' })
  })
})

describe('the dialect', () => {
  test('is installed beside engines and schemas of odd names, and again without a change', async ({
    db,
  }) => {
    const odd = randomBytes(4).toString('hex')
    const engineSchema = `My "engine" ${odd}`
    const schema = `Back'ground ${odd}`
    await migrate(db, { schema: engineSchema, roles: false })
    const place = { dialect: 'pg-background', schema, engineSchema }
    await installDialect(inject('pgUrl'), place)

    const again = await installDialect(inject('pgUrl'), place)

    expect(again).toMatchObject({ applied: [], removed: [] })
    const { rows } = await db.query(
      `select "${schema}".pg_background_launch('select 1', 65536, 'mail') as id`,
    )
    expect(rows).toEqual([{ id: '1' }])
    await db.query(
      `drop schema "${schema}" cascade; drop schema "${engineSchema.replaceAll('"', '""')}" cascade`,
    )
  })

  test('leaves the engine free to put up its views and functions anew', async ({
    db,
    schema,
    dialect,
  }) => {
    await db.query(`update installed set hash = 'old' where path ~ '^(views|verbs|core)/'`)

    const { applied } = await migrate(db, { schema, roles: testRoles })

    expect(applied.length).toBeGreaterThan(100)
    await db.query(`select * from ${dialect}.pg_background_activity`)
  })

  test('has no function whose body Postgres cannot read', async ({
    db,
    dialect,
    schema,
    connect,
  }) => {
    const { rows } = await db.query<{ text: string }>(
      `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = $1::regnamespace`,
      [dialect],
    )
    const client = await connect()
    await client.query(`begin; set search_path to ${dialect}, ${schema}, pg_temp`)
    for (const { text } of rows) await client.query(text)

    expect(rows.length).toBeGreaterThan(70)
  })
})
