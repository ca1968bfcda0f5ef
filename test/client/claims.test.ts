import { describe, expect } from 'vitest'
import { test } from '../support/client.ts'

const soon = new Date(Date.now() - 1_000)

describe('a client that pulls', () => {
  test('gets documents and nothing else, unless it asks', async ({ tusk }) => {
    await tusk.enqueueTask({ queue: 'orders', handler: 'ship', payload: 1, priority: 9 })
    await tusk.enqueueTask({ queue: 'orders', kind: 'document', payload: { n: 2 } })

    const documents = await tusk.claims.claim('orders', { limit: 10 })
    const others = await tusk.claims.claim('orders', { kinds: ['handler'] })

    expect(documents.map(({ payload }) => payload)).toEqual([{ n: 2 }])
    expect(others.map(({ payload }) => payload)).toEqual([1])
  })

  test('gets the versions that it understands', async ({ tusk }) => {
    for (const version of [1, 2, 3]) {
      await tusk.enqueueTask({ queue: 'orders', kind: 'document', version, payload: {} })
    }

    const documents = await tusk.claims.claim('orders', { limit: 10, versions: [2, 3] })

    expect(documents.map(({ version }) => version)).toEqual([2, 3])
  })

  test('says what became of each document', async ({ tusk }) => {
    for (const key of ['done', 'failed', 'rejected', 'killed', 'again', 'back']) {
      await tusk.enqueueTask({ queue: 'orders', kind: 'document', key, payload: { key } })
    }
    const held = new Map(
      (await tusk.claims.claim('orders', { limit: 10, lease: 60_000, worker: 'ada' })).map(
        (task) => [task.key, task],
      ),
    )
    const of = (key: string) => held.get(key) ?? { id: '0', claim: '0' }

    expect(await tusk.claims.extend([...held.values()], '2 minutes')).toHaveLength(1)
    await tusk.claims.complete(of('done'), { ok: true })
    expect(await tusk.claims.fail(of('failed'), { message: 'no' }, { retry: false })).toMatchObject(
      {
        state: 'failed',
      },
    )
    expect(await tusk.claims.reject(of('rejected'), null, { delay: '1 hour' })).toMatchObject({
      state: 'queued',
    })
    await tusk.claims.kill(of('killed'))
    await tusk.claims.reschedule(of('again'), soon, { payload: { round: 2 } })
    expect(await tusk.claims.release([of('back')])).toEqual([of('back').id])

    const { tasks } = await tusk.tasks.list({ queue: 'orders' })
    expect(tasks.map(({ key, state, reason }) => [key, state, reason]).reverse()).toEqual([
      ['done', 'done', null],
      ['failed', 'failed', 'error'],
      ['rejected', 'retrying', null],
      ['killed', 'failed', 'killed'],
      ['again', 'ready', null],
      ['back', 'ready', null],
    ])
    expect(await tusk.claims.claim('orders')).toMatchObject([
      { iteration: 1, payload: { round: 2 } },
    ])
  })

  test('cannot speak of what it lost', async ({ tusk, engine }) => {
    await tusk.enqueueTask({ queue: 'orders', kind: 'document', payload: {} })
    const [late] = await tusk.claims.claim('orders')
    await engine.pass('2 minutes')
    await engine.rescue()
    await engine.pass('1 minute')
    const [held] = await tusk.claims.claim('orders')
    if (late === undefined || held === undefined) throw new Error('nothing was claimed')

    await expect(tusk.claims.complete(late)).rejects.toMatchObject({ code: 'lease_lost' })
    expect(await tusk.claims.completeMany([late, held], { outputs: [1, 2] })).toEqual([held.id])
  })
})
