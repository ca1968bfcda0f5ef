import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { until } from '../support/until.ts'

describe('operations over HTTP', () => {
  test('count before they do anything', async ({ ask, engine }) => {
    await engine.enqueueMany(Array.from({ length: 30 }, () => ({ queue: 'mail' })))
    await engine.enqueue({ queue: 'reports' })

    const counted = await ask.post('/operations', {
      action: 'cancel',
      filter: { queue: 'mail' },
      dry_run: true,
    })

    expect(counted).toMatchObject({ status: 200, body: { count: 30, exact: true } })
    expect((await ask.get('/operations')).body.items).toEqual([])
  })

  test('go on in the background until all matching tasks are dealt with', async ({
    ask,
    engine,
  }) => {
    await engine.enqueueMany(Array.from({ length: 1_200 }, () => ({ queue: 'mail' })))
    await engine.enqueue({ queue: 'reports' })

    const begun = await ask.post('/operations', { action: 'cancel', filter: { queue: 'mail' } })
    expect(begun.status).toBe(202)
    const path = begun.headers.get('location')?.replace('/api/v1', '') ?? ''
    await until(async () => (await ask.get(path)).body.state !== 'running')

    expect((await ask.get(path)).body).toMatchObject({
      state: 'done',
      matched: 1_200,
      done: 1_200,
      refused: 0,
      progress: 1,
    })
    // Not by way of /tasks/count, which has but a fifth of a second for it.
    const query = 'select state, count(*)::integer as n from task group by 1 order by 1'
    expect(await engine.rows(query)).toEqual([
      { state: 'cancelled', n: 1_200 },
      { state: 'ready', n: 1 },
    ])
    expect((await ask.get('/audit?action=start_operation')).body.items).toHaveLength(1)
  })

  test('begin once for one Idempotency-Key', async ({ ask, engine }) => {
    await engine.enqueue({ queue: 'mail' })
    const body = { action: 'move', filter: { queue: 'mail' }, run_at: '2100-01-01T00:00:00Z' }
    const options = { headers: { 'idempotency-key': 'move it' } }

    const first = await ask.post('/operations', body, options)
    const again = await ask.post('/operations', body, options)

    expect(again.body.id).toBe(first.body.id)
    expect((await ask.get('/operations')).body.items).toHaveLength(1)
    await until(async () => (await ask.get(`/operations/${first.body.id}`)).body.state === 'done')
  })

  test('are listed page by page, and cancelled', async ({ ask, engine }) => {
    const ids: string[] = []
    for (let i = 0; i < 3; i += 1) ids.unshift(await engine.startOperation('delete', {}))

    const first = await ask.get('/operations?limit=2')
    const rest = await ask.get(`/operations?limit=2&cursor=${first.body.next_cursor}`)
    const seen = [...first.body.items, ...rest.body.items].map(({ id }) => id)
    expect(seen).toEqual(ids)

    expect((await ask.post(`/operations/${ids[0]}/cancel`)).body.state).toBe('cancelled')
    expect((await ask.post('/operations/999/cancel')).body.code).toBe('operation_not_found')
    expect((await ask.get('/operations/999')).body.code).toBe('operation_not_found')
  })

  test('say what they do not understand', async ({ ask }) => {
    const answers = [
      await ask.post('/operations', { action: 'bury', filter: {} }),
      await ask.post('/operations', { action: 'cancel', filter: { colour: 'red' } }),
      await ask.post('/operations', { action: 'move', filter: {} }),
      await ask.post('/operations', { action: 'amend', filter: {}, changes: { payload: {} } }),
      await ask.post('/operations', { action: 'cancel', filter: {}, changes: { priority: 1 } }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
  })
})
