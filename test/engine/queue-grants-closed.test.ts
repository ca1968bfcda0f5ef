import { describe, expect } from 'vitest'
import { test as base, makeRole } from '../support/roles.ts'

const test = base.extend<{ roles: undefined }>({
  roles: [
    async ({ db }, use) => {
      await makeRole(db, 'grants_team', 'producer')
      await makeRole(db, 'grants_shop', 'producer', 'grants_team')
      await makeRole(db, 'grants_mailer', 'worker', 'producer')
      await makeRole(db, 'grants_acme', 'operator')
      await makeRole(db, 'grants_beta', 'operator')
      await makeRole(db, 'grants_platform', 'operator')
      await use(undefined)
    },
    { auto: true },
  ],
})

const denied = { code: 'not_permitted' }

describe('a closed queue', () => {
  test('refuses a bulk with one of its tasks as a whole, and says which', async ({
    engine,
    as,
  }) => {
    await engine.grantQueue('mail', 'grants_team', ['enqueue'])
    const bulk = [{ queue: 'open' }, { queue: 'mail' }, { queue: 'open' }]

    await expect((await as('grants_mailer')).enqueueMany(bulk)).rejects.toMatchObject({
      message: 'role grants_mailer may not enqueue queue mail',
      cause: { detail: '{"task": 2}' },
    })
    expect(await engine.rows('select id from tasks')).toEqual([])
  })

  test('lets a worker of another queue end none of its tasks', async ({ engine, as }) => {
    await engine.grantQueue('mail', 'grants_team', ['consume'])
    await engine.grantQueue('post', 'grants_mailer', ['consume'])
    const task = await engine.running({ queue: 'mail' })
    const mailer = await as('grants_mailer')

    await expect(mailer.complete(task)).rejects.toMatchObject(denied)
    await expect(
      mailer.rows('select heartbeat($1, $2, $3)', 'w', [task.id], [task.claim]),
    ).rejects.toMatchObject(denied)

    expect(await engine.task(task.id)).toMatchObject({ state: 'running' })
  })

  test('is kept in order by the chores of workers that may not consume it', async ({
    engine,
    as,
  }) => {
    await engine.setSchedule('s', { task: { queue: 'mail' }, every: '1 hour' })
    await engine.running({ queue: 'mail' })
    await engine.enqueue({ queue: 'mail', deadline: new Date(Date.now() + 60_000) })
    await engine.grantQueue('mail', 'grants_team', ['enqueue'])
    await engine.pass('61 minutes')
    const mailer = await as('grants_mailer')

    expect(await mailer.rows('select * from rescue()')).toHaveLength(1)
    expect(await mailer.rows('select * from expire()')).toHaveLength(1)
    expect(await mailer.fire()).toMatchObject({ processed: 1 })
    await mailer.sweep()
    expect(await engine.rows(`select id from tasks where queue = 'mail'`)).toHaveLength(2)
  })

  test('stops schedules of a role that lost its right, and says why', async ({ engine, as }) => {
    await engine.grantQueue('mail', 'grants_acme', ['operate'])
    await (await as('grants_acme')).setSchedule('s', { task: { queue: 'mail' }, every: '1 hour' })
    await engine.revokeQueue('mail', 'grants_acme')

    await engine.pass('61 minutes')
    await engine.fire()

    expect(await engine.rows('select id from tasks')).toEqual([])
    expect(await engine.schedule('s')).toMatchObject({
      state: 'failing',
      error: { code: 'TK013', message: 'role grants_acme may not enqueue queue mail' },
    })
  })

  test('is left alone by operations of others, and changed by its own, whichever role drives them', async ({
    engine,
    as,
  }) => {
    await engine.grantQueue('mail', 'grants_acme', ['operate'])
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'open' }])
    const [acme, beta] = [await as('grants_acme'), await as('grants_beta')]

    const theirs = await beta.value<string>(`select start_operation('cancel', '{}')`)
    expect(await engine.rows('select matched, done from advance_operation($1)', theirs)).toEqual([
      { matched: '1', done: '1' },
    ])
    expect(await engine.rows('select queue from tasks')).toEqual([{ queue: 'mail' }])

    const own = await acme.value<string>(
      `select start_operation('move', '{}', '{"run_at": "2030-01-01"}')`,
    )
    await engine.rows(`update operations set advanced_at = now() - interval '1 minute'`)
    await engine.rows('select advance_silent_operations(100)')
    expect(await engine.rows('select state, done from operations where id = $1', own)).toEqual([
      { state: 'done', done: '1' },
    ])
  })

  test('is not touched by an operation once its role has lost the right, whichever role drives it', async ({
    engine,
    as,
  }) => {
    await engine.grantQueue('mail', 'grants_acme', ['operate'])
    const { id } = await engine.enqueue({ queue: 'mail' })
    const own = await (await as('grants_acme')).value<string>(
      `select start_operation('cancel', '{"queue": "mail"}')`,
    )
    await engine.revokeQueue('mail', 'grants_acme')

    expect(await engine.rows('select matched, done from advance_operation($1)', own)).toEqual([
      { matched: '0', done: '0' },
    ])

    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })

  test('keeps its schedules when others apply theirs and prune', async ({ engine, as }) => {
    await engine.grantQueue('acme:*', 'grants_acme', ['operate'])
    await engine.setSchedule('theirs', { task: { queue: 'acme:mail' }, every: '1 hour' })
    const beta = await as('grants_beta')
    const own = { task: { queue: 'beta' }, every: '1 hour' }

    await beta.applySchedules({ own, other: own })
    await beta.applySchedules({ own }, true)

    expect((await engine.schedules()).map(({ name }) => name)).toEqual(['own', 'theirs'])
    await expect(beta.setSchedule('theirs', own)).rejects.toMatchObject(denied)
  })

  test('keeps what its tasks carry from a reader’s own function', async ({
    engine,
    as,
    schema,
  }) => {
    await engine.enqueue({ queue: 'mail', payload: { secret: 'x' } })
    await engine.grantQueue('mail', 'grants_acme', ['operate'])
    const beta = await as('grants_beta')
    await beta.rows(`create temp table seen (it text)`)
    await beta.rows(`
      create function pg_temp.leak(text) returns boolean language plpgsql cost 0.0001 as
      $$ begin insert into seen values ($1); return true; end $$`)

    expect(
      await beta.rows(`select id from ${schema}.task where pg_temp.leak(payload::text)`),
    ).toEqual([])
    expect(await beta.rows('select * from seen')).toEqual([])
    await engine.openQueue('mail')
    expect(
      await beta.rows(`select id from ${schema}.task where pg_temp.leak(payload::text)`),
    ).toHaveLength(1)
  })
})
