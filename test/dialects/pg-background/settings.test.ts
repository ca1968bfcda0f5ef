import { describe, expect } from 'vitest'
import { inOwnDatabase } from '../../support/own-database.ts'
import { test } from './background.ts'

const queue = 'pg_background'

describe('retries', () => {
  test('wait 2^n seconds from the failure, then the task has failed', async ({
    launch,
    bg,
    engine,
    endOf,
  }) => {
    const id = await launch('select 1/0', 'retry_count => 2')
    const shown = async () =>
      (
        await bg.query(
          'select state, retry_count, retry_delay_in_sec, errors from pg_background_tasks where id = $1',
          [id],
        )
      ).rows[0]
    // It has waited long: what counts is when it failed.
    await engine.pass('10 minutes')

    const divide = { code: '22012', message: 'division by zero' }
    for (const [n, seconds] of [
      [1, 2],
      [2, 4],
    ] as const) {
      const { claim } = await engine.claimOne(queue)
      await engine.fail({ id, claim }, divide)
      expect(await shown()).toEqual({
        state: 'retrying',
        retry_count: n,
        retry_delay_in_sec: seconds,
        errors: 'division by zero',
      })
      expect(
        await engine.value(
          'select run_at = (select max(ended_at) from attempts) + $1::interval from tasks',
          `${seconds} seconds`,
        ),
      ).toBe(true)
      expect(await engine.claim(queue)).toEqual([])
      await engine.pass(`${seconds} seconds`)
    }
    const { claim } = await engine.claimOne(queue)
    await engine.fail({ id, claim }, divide)

    expect(await endOf(id)).toMatchObject({
      state: 'failed',
      retry_count: 2,
      errors: 'division by zero',
    })
  })

  test('come when their time has come, though no session launches or ends anything', async ({
    launch,
    workBackground,
    endOf,
    engine,
  }) => {
    await workBackground()
    const id = await launch('select 1/0', 'retry_count => 1')

    expect(await endOf(id)).toMatchObject({ state: 'failed', retry_count: 1 })
    expect(
      await engine.value(
        `select count(*) = 2 and max(started_at) - min(ended_at) between interval '2 seconds' and interval '20 seconds'
         from attempts where task = $1`,
        id,
      ),
    ).toBe(true)
  })

  test('never wait longer than the cap', async ({ launch, ask, engine }) => {
    await ask(`select pg_background_set_defaults('{"max_retry_delay_in_sec": 60}')`)
    const id = await launch('select 1/0', 'retry_count => 100')
    await engine.value('update tasks set attempt = 40')
    const { claim } = await engine.claimOne(queue)

    await engine.fail({ id, claim })

    expect(
      await engine.value(
        `select run_at between clock_timestamp() + interval '50 seconds' and clock_timestamp() + interval '1 minute' from tasks`,
      ),
    ).toBe(true)
    expect(await ask('select retry_delay_in_sec from pg_background_tasks')).toBe(60)
  })

  test.for([
    ['nothing is set', [], [], 0],
    ['the defaults say it', [['set_defaults', '{"retry_count": 4}']], [], 4],
    [
      'its topic says it',
      [
        ['set_defaults', '{"retry_count": 4}'],
        ['mail', '{"retry_count": 1}'],
      ],
      [],
      1,
    ],
    [
      'two topics do: the smaller',
      [
        ['mail', '{"retry_count": 3}'],
        ['slow', '{"retry_count": 1}'],
      ],
      [],
      1,
    ],
    [
      'the session does',
      [['set_defaults', '{"retry_count": 4}']],
      [['pg_background.retry_count', '6']],
      6,
    ],
    [
      'the session does for a topic',
      [['mail', '{"retry_count": 3}']],
      [['pg_background.retry_count.mail', '2']],
      2,
    ],
  ] as const)(
    'are as many as allowed when %s',
    async ([, settings, session, expected], { session: connect, engine, bg }) => {
      for (const [what, value] of settings) {
        if (what === 'set_defaults')
          await bg.query('select pg_background_set_defaults($1)', [value])
        else await bg.query('select pg_background_set_topic($1, $2)', [what, value])
      }
      const client = await connect()
      for (const [name, value] of session)
        await client.query('select set_config($1, $2, false)', [name, value])

      await client.query(`select pg_background_launch('select 1', 65536, 'mail', 'slow')`)

      expect(
        await engine.value(
          `select case when backoff ->> 'kind' = 'never' then 0 else max_attempts - 1 end from tasks`,
        ),
      ).toBe(expected)
    },
  )
})

describe('settings', () => {
  test.for([
    [`pg_background_set_topic('', '{}')`, '22023', 'not the name'],
    [`pg_background_set_topic('mail', '{"retry_count": -1}')`, '22023', 'retry_count'],
    [`pg_background_set_topic('mail', '{"retry_count": "many"}')`, '22023', 'many'],
    [`pg_background_set_topic('mail', '{"retries": 1}')`, 'TK004', 'retries'],
    [`pg_background_set_defaults('{"reserve": -1}')`, '22023', 'reserve'],
    [`pg_background_set_defaults('{"retry_jitter": 2}')`, '22023', 'retry_jitter'],
    [`pg_background_set_defaults('[]')`, 'TK004', 'object'],
  ])('refuse %s and change nothing', async ([call, code, why], { ask, bg }) => {
    await expect(ask(`select ${call}`)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why as string),
    })
    expect((await bg.query('select * from pg_background_settings')).rows).toHaveLength(1)
  })

  test('hold a topic whose limit is 0, until it has another', async ({ ask, launch, engine }) => {
    await ask(`select pg_background_set_topic('mail', '{"max_parallel_running_tasks_count": 0}')`)
    await launch('select 1', `65536, 'mail'`)
    expect(await engine.claim(queue)).toEqual([])

    await ask(`select pg_background_set_topic('mail', '{"max_parallel_running_tasks_count": 1}')`)

    expect(await engine.claim(queue)).toHaveLength(1)
  })

  test('take any name for a topic', async ({ ask, launch, bg }) => {
    await ask(
      `select pg_background_set_topic('email-out', '{"retry_count": 3, "delay_in_sec": 0.5}')`,
    )
    await launch('select 1', `65536, 'email-out'`)

    const { rows } = await bg.query(
      `select topic, retry_count, delay_in_sec from pg_background_settings where topic is not null`,
    )
    expect(rows).toEqual([{ topic: 'email-out', retry_count: 3, delay_in_sec: '0.5' }])

    await ask(
      `select pg_background_set_topic('email-out', '{"retry_count": null, "delay_in_sec": null}')`,
    )
    expect((await bg.query('select * from pg_background_settings')).rows).toHaveLength(1)
  })

  test("are taken over from the paper's names, where they have been set", async () => {
    await inOwnDatabase('pg-background', async ({ name, dialectSchema, connect }) => {
      const admin = await connect()
      await admin.query(`alter database ${name} set pg_background.delay_in_sec.mail = 3`)
      const client = await connect({ options: `-c search_path=${dialectSchema}` })
      await client.query(`set pg_background.max_parallel_running_tasks_count = 5`)

      const { rows } = await client.query('select * from pg_background_load_settings()')

      expect(rows).toEqual([
        { topic: null, setting: 'max_parallel_running_tasks_count', value: '5' },
        { topic: 'mail', setting: 'delay_in_sec', value: '3' },
      ])
      expect(
        (
          await client.query(
            'select topic, max_parallel_running_tasks_count as most, delay_in_sec from pg_background_settings',
          )
        ).rows,
      ).toEqual([
        { topic: null, most: 5, delay_in_sec: '0' },
        { topic: 'mail', most: 5, delay_in_sec: '3' },
      ])
    })
  })
})
