import { describe, expect } from 'vitest'
import { testRoles } from '../support/engine.ts'
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

describe('grant_queue', () => {
  test('closes a queue to all but granted roles, their members and admins', async ({
    engine,
    as,
  }) => {
    await engine.grantQueue('mail', 'grants_team', ['enqueue'])

    await expect((await as('grants_mailer')).enqueue({ queue: 'mail' })).rejects.toMatchObject({
      code: 'not_permitted',
      message: 'role grants_mailer may not enqueue queue mail',
      hint: expect.stringContaining(`grant_queue('mail', 'grants_mailer', '{enqueue}')`),
    })
    await expect((await as('grants_mailer')).claim('mail')).rejects.toMatchObject(denied)
    for (const role of ['grants_team', 'grants_shop', `${testRoles}_admin`]) {
      expect(await (await as(role)).enqueue({ queue: 'mail' })).toMatchObject({
        outcome: 'created',
      })
    }
    await expect((await as('grants_team')).enqueue({ queue: 'other' })).resolves.toBeDefined()
  })

  test('gives each right by itself, and all of them with operate', async ({ engine, as }) => {
    await engine.grantQueue('mail', 'grants_mailer', ['consume'])
    await engine.grantQueue('mail', 'grants_acme', ['operate'])

    const mailer = await as('grants_mailer')
    await expect(mailer.enqueue({ queue: 'mail' })).rejects.toMatchObject(denied)
    const acme = await as('grants_acme')
    const { id } = await acme.enqueue({ queue: 'mail' })
    const task = await mailer.claimOne('mail')
    expect(task.id).toBe(id)
    await mailer.complete(task)
    await acme.retry(id)
    await acme.complete(await acme.claimOne('mail'))
  })

  test('adds to the rights that a role has', async ({ engine, as }) => {
    await engine.grantQueue('mail', 'grants_mailer', ['consume'])
    await engine.grantQueue('mail', 'grants_mailer', ['enqueue', 'enqueue'])

    expect(await engine.queueGrants()).toMatchObject([
      { queue: 'mail', role: 'grants_mailer', rights: ['consume', 'enqueue'], is_known: true },
    ])
    await expect((await as('grants_mailer')).enqueue({ queue: 'mail' })).resolves.toBeDefined()
  })

  test('is about all queues that begin alike, and about all there are', async ({ engine, as }) => {
    await engine.grantQueue('acme:*', 'grants_acme', ['operate'])
    const [acme, beta] = [await as('grants_acme'), await as('grants_beta')]

    await acme.enqueue({ queue: 'acme:mail' })
    await expect(beta.enqueue({ queue: 'acme:mail' })).rejects.toMatchObject(denied)
    await expect(beta.enqueue({ queue: 'acme:none yet' })).rejects.toMatchObject(denied)
    await beta.enqueue({ queue: 'open' })

    await engine.grantQueue('*', 'grants_platform', ['operate'])
    await expect(beta.enqueue({ queue: 'open' })).rejects.toMatchObject(denied)
    await expect(acme.enqueue({ queue: 'open' })).rejects.toMatchObject(denied)
    await acme.enqueue({ queue: 'acme:mail' })
    await (await as('grants_platform')).enqueue({ queue: 'acme:mail' })
  })

  test('keeps the defaults of all queues for those who may operate all', async ({ engine, as }) => {
    await engine.grantQueue('acme:*', 'grants_acme', ['operate'])

    await expect(
      (await as('grants_acme')).setQueue('*', { max_attempts: 1 }),
    ).rejects.toMatchObject(denied)
    await engine.grantQueue('*', 'grants_platform', ['operate'])
    await (await as('grants_platform')).setQueue('*', { max_attempts: 1 })
  })

  test('closes the groups that begin alike, to put tasks in and to change', async ({
    engine,
    as,
  }) => {
    await engine.grantQueue('acme:*', 'grants_acme', ['operate'])
    await engine.grantQueue('mail', 'grants_acme', ['operate'])
    const [acme, beta] = [await as('grants_acme'), await as('grants_beta')]

    const task = { queue: 'beta', groups: ['acme:customer'] }
    await expect(beta.enqueue(task)).rejects.toMatchObject({
      message: 'role grants_beta may not enqueue group acme:customer',
    })
    await expect(beta.setGroup('acme:customer', { max_running: 1 })).rejects.toMatchObject(denied)
    const { id } = await beta.enqueue({ queue: 'beta', groups: ['mail'] })
    await expect(beta.amend(id, { groups: ['acme:customer'] })).rejects.toMatchObject(denied)
    await beta.setGroup('mail', { max_running: 1 })
    await acme.setGroup('acme:customer', { max_running: 1 })
    await acme.enqueue({ queue: 'acme:mail', groups: ['acme:customer', 'mail'] })
  })

  test('cannot be got around by SET ROLE to a role of the engine', async ({ engine, as }) => {
    await engine.grantQueue('acme:*', 'grants_acme', ['operate'])
    const beta = await as('grants_beta')

    for (const role of ['producer', 'worker', 'operator']) {
      await beta.rows(`set role ${testRoles}_${role}`)
      const verb = role === 'worker' ? `claim('acme:mail')` : `enqueue('acme:mail')`
      await expect(beta.rows(`select ${verb}`)).rejects.toMatchObject(denied)
    }
  })

  test.for([
    ['a role that does not exist', ['mail', 'no such role', ['enqueue']], 'there is no role'],
    ['no role', ['mail', null, ['enqueue']], 'there is no role null'],
    ['a right that does not exist', ['mail', 'grants_shop', ['consum']], 'not a right'],
    ['no rights', ['mail', 'grants_shop', []], 'not a right'],
    ['a null among rights', ['mail', 'grants_shop', ['enqueue', null]], 'not a right'],
    ['no queue', [null, 'grants_shop', ['enqueue']], 'not the name of a queue'],
    ['a queue that cannot be', ['@mail', 'grants_shop', ['enqueue']], 'not the name of a queue'],
  ] as const)('refuses %s', async ([, [queue, role, rights], message], { engine }) => {
    await expect(
      engine.rows('select grant_queue($1, $2, $3)', queue, role, rights),
    ).rejects.toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(message) })
    expect(await engine.queueGrants()).toEqual([])
  })

  test('is for admins', async ({ as }) => {
    const operator = await as('grants_platform')

    await expect(operator.grantQueue('mail', 'grants_platform', ['operate'])).rejects.toMatchObject(
      { code: '42501' },
    )
    await expect(operator.revokeQueue('mail', 'grants_platform')).rejects.toMatchObject({
      code: '42501',
    })
    await expect(operator.openQueue('mail')).rejects.toMatchObject({ code: '42501' })
    await expect(operator.queueGrants()).rejects.toMatchObject({ code: '42501' })
  })
})

describe('revoke_queue', () => {
  test('leaves the queue closed, until it is opened', async ({ engine, as }) => {
    await engine.grantQueue('mail', 'grants_shop', ['enqueue', 'consume'])
    expect(await engine.revokeQueue('mail', 'grants_shop', ['consume'])).toBe(true)
    const shop = await as('grants_shop')
    await shop.enqueue({ queue: 'mail' })

    expect(await engine.revokeQueue('mail', 'grants_shop')).toBe(true)
    expect(await engine.revokeQueue('mail', 'grants_shop')).toBe(false)
    await expect(shop.enqueue({ queue: 'mail' })).rejects.toMatchObject(denied)
    expect(await engine.queueGrants()).toMatchObject([{ role: 'grants_shop', rights: [] }])

    expect(await engine.openQueue('mail')).toBe(1)
    expect(await engine.openQueue('mail')).toBe(0)
    await shop.enqueue({ queue: 'mail' })
    expect(await engine.value('select bool_or(has_grants) from queues')).toBe(false)
  })

  test('removes a role among others that keep theirs', async ({ engine }) => {
    await engine.grantQueue('mail', 'grants_shop', ['enqueue'])
    await engine.grantQueue('mail', 'grants_team', ['enqueue'])

    await engine.revokeQueue('mail', 'grants_shop')

    expect(await engine.queueGrants()).toMatchObject([{ role: 'grants_team' }])
  })

  test('stands in the audit, as do grants', async ({ engine, connect }) => {
    const client = await connect()
    await client.query(`select set_config('tusk.caller', '{"actor": "ada"}', false)`)
    const ada = engine.on(client)
    await ada.grantQueue('mail', 'grants_shop', ['enqueue'])
    await ada.revokeQueue('mail', 'grants_shop')
    await ada.openQueue('mail')

    const entries = await engine.auditEntries({})
    expect(
      entries.map(({ action, object, before, after }) => ({ action, object, before, after })),
    ).toEqual([
      { action: 'open_queue', object: 'queue mail', before: { grants_shop: [] }, after: null },
      {
        action: 'revoke_queue',
        object: 'queue mail',
        before: { grants_shop: ['enqueue'] },
        after: { grants_shop: [] },
      },
      {
        action: 'grant_queue',
        object: 'queue mail',
        before: null,
        after: { grants_shop: ['enqueue'] },
      },
    ])
  })
})
