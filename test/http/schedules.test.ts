import { describe, expect } from 'vitest'
import { adminToken, test } from '../support/http.ts'
import { openAsk } from '../support/http-ask.ts'

const daily = { task: { queue: 'reports', payload: { of: 'yesterday' } }, cron: '30 2 * * *' }

describe('schedules over HTTP', () => {
  test('are made and replaced as a whole', async ({ ask }) => {
    const made = await ask.put('/schedules/report', { ...daily, overlap: 'skip' })
    const replaced = await ask.put('/schedules/report', { ...daily, cron: '0 3 * * *' })

    expect(made).toMatchObject({ status: 201, body: { name: 'report', overlap: 'skip' } })
    expect(replaced).toMatchObject({ status: 200, body: { cron: '0 3 * * *', overlap: 'allow' } })
    expect((await ask.get('/schedules')).body.items).toMatchObject([
      { name: 'report', task: { queue: 'reports' }, state: 'planned' },
    ])
  })

  test('are changed in part', async ({ ask }) => {
    await ask.put('/schedules/report', { ...daily, overlap: 'skip' })

    const { body } = await ask.patch('/schedules/report', { zone: 'Europe/Berlin' })

    expect(body).toMatchObject({ zone: 'Europe/Berlin', overlap: 'skip', cron: '30 2 * * *' })
  })

  test('are changed only if they are still what the client saw', async ({ ask }) => {
    const { headers } = await ask.put('/schedules/report', daily)
    const etag = headers.get('etag') ?? ''
    await ask.patch('/schedules/report', { overlap: 'skip' })

    const options = { headers: { 'if-match': etag } }
    expect((await ask.patch('/schedules/report', { overlap: 'queue' }, options)).status).toBe(412)
    expect((await ask.put('/schedules/report', daily, options)).status).toBe(412)
    expect((await ask.put('/schedules/other', daily, options)).status).toBe(412)
    expect((await ask.get('/schedules/report')).body.overlap).toBe('skip')
  })

  test('are made only if there is none, when asked so', async ({ ask }) => {
    const options = { headers: { 'if-none-match': '*' } }

    expect((await ask.put('/schedules/report', daily, options)).status).toBe(201)
    expect((await ask.put('/schedules/report', daily, options)).status).toBe(412)
  })

  test('are previewed before they are set, in words and in times', async ({ ask }) => {
    const { body } = await ask.post('/schedules/preview', {
      settings: { cron: '30 2 * * *', zone: 'Europe/Berlin' },
      from: '2027-03-27T00:00:00Z',
      count: 3,
    })

    expect(body.words).toBe('Every day at 02:30 (Europe/Berlin)')
    expect(body.items).toHaveLength(3)
    expect(body.items[1]).toMatchObject({
      note: 'moved',
      meant: '02:30',
      words: '02:30 does not exist: moved to 03:00',
    })
    const every = { every: '1 d', starts_at: '2027-03-27 09:00', zone: 'Europe/Berlin' }
    expect((await ask.post('/schedules/preview', { settings: every })).body.words).toBe(
      'Every day at 09:00 (Europe/Berlin)',
    )
    const wrong = await ask.post('/schedules/preview', { settings: { cron: '61 * * * *' } })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'invalid_argument' } })
    expect((await ask.post('/schedules/preview', { name: 'nope' })).status).toBe(404)
    const both = await ask.post('/schedules/preview', { name: 'nope', settings: { every: '1 h' } })
    expect(both.body).toMatchObject({ status: 422, errors: [{ path: 'body.settings' }] })
  })

  test('fire when asked, and tell what became of their times', async ({ ask }) => {
    await ask.put('/schedules/report', { ...daily, cron: '* * * * *' })
    const ran = await ask.post('/schedules/report/run')
    const filled = await ask.post('/schedules/report/backfill', {
      from: new Date(Date.now() - 5 * 60_000).toISOString(),
      to: new Date().toISOString(),
      limit: 2,
    })

    expect((await ask.get(`/tasks/${ran.body.task}`)).body.queue).toBe('reports')
    expect(filled.body.fired).toBe(2)
    const first = await ask.get('/schedules/report/occurrences?limit=2')
    const rest = await ask.get(`/schedules/report/occurrences?cursor=${first.body.next_cursor}`)
    expect(first.body.items[0]).toMatchObject({ origin: 'now', task: ran.body.task })
    expect(rest.body).toMatchObject({ items: [{ origin: 'backfill' }], next_cursor: null })
  })

  test('are paused, resumed and removed', async ({ ask }) => {
    await ask.put('/schedules/report', daily)

    expect((await ask.post('/schedules/report/pause')).body.state).toBe('paused')
    expect((await ask.post('/schedules/report/resume')).body.state).toBe('planned')
    expect((await ask.delete('/schedules/report')).status).toBe(204)
    expect((await ask.delete('/schedules/report')).body.code).toBe('schedule_not_found')
    expect((await ask.get('/schedules/report')).body.code).toBe('schedule_not_found')
    expect((await ask.patch('/schedules/report', { overlap: 'skip' })).status).toBe(404)
    expect((await ask.get('/schedules/report/occurrences')).status).toBe(404)
  })

  test('take no SQL unless the server does and the caller may', async ({ ask, serve, tusk }) => {
    const sql = {
      task: { queue: 'sql', kind: 'sql', payload: { sql: 'select 1' } },
      every: '1 day',
    }
    const { token } = await tusk.tokens.create({ name: 'op', scopes: ['operate'] })
    const open = await openAsk(await serve({ sql: true }), adminToken)

    expect((await ask.put('/schedules/s', sql)).body.code).toBe('sql_over_http_off')
    expect((await open.as(token).put('/schedules/s', sql)).body.code).toBe('missing_scope')
    expect((await open.put('/schedules/s', sql)).status).toBe(201)
    expect((await open.as(token).patch('/schedules/s', { task: sql.task })).status).toBe(403)
    expect((await open.as(token).patch('/schedules/s', { every: '2 days' })).status).toBe(200)
  })
})
