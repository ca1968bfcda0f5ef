import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { until } from '../support/until.ts'

const waiting = `select count(*)::integer as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%lock_for_edit%'`

describe('an edit with If-Match', () => {
  test.for(['tasks/{id}', 'schedules/report'])(
    'removes %s only if it is what was seen',
    async (path, { ask, engine }) => {
      await engine.setSchedule('report', { cron: '@daily', task: { queue: 'reports' } })
      const { id } = await engine.enqueue({ queue: 'mail' })
      const url = `/${path.replace('{id}', id)}`
      const tag = (await ask.get(url)).headers.get('etag') ?? ''

      const other = await ask.delete(url, { headers: { 'if-match': '"another"' } })
      const there = await ask.get(url)
      const same = await ask.delete(url, { headers: { 'if-match': tag } })
      const again = await ask.delete(url, { headers: { 'if-match': tag } })

      expect([other.status, other.body.code]).toEqual([412, 'precondition_failed'])
      expect([there.status, same.status, again.status]).toEqual([200, 204, 404])
    },
  )

  test.for([
    ['queues/mail', { max_running: 2 }, `select set_queue('mail', '{"max_attempts": 3}')`],
    ['groups/acme', { max_running: 2 }, `select set_group('acme', '{"weight": 3}')`],
    [
      'schedules/report',
      { cron: '@hourly' },
      `select set_schedule('report', '{"cron": "@weekly"}')`,
    ],
    ['tasks/{id}', { priority: 2 }, `select amend({id}, '{"priority": 3}')`],
  ] as const)(
    'of %s never overwrites what SQL changes between the look and the edit',
    async ([path, changes, statement], { ask, connect, engine }) => {
      await engine.setGroup('acme', { max_running: 1 })
      await engine.setSchedule('report', { cron: '@daily', task: { queue: 'reports' } })
      const { id } = await engine.enqueue({ queue: 'mail' })
      const url = `/${path.replace('{id}', id)}`
      const tag = (await ask.get(url)).headers.get('etag') ?? ''
      const other = await connect()
      await other.query('begin')
      await other.query(statement.replace('{id}', id))

      const edit = ask.patch(url, changes, { headers: { 'if-match': tag } })
      await until(async () => (await engine.value(waiting)) === 1)
      await other.query('commit')

      expect((await edit).body.code).toBe('precondition_failed')
      const fresh = (await ask.get(url)).headers.get('etag') ?? ''
      const again = await ask.patch(url, changes, { headers: { 'if-match': fresh } })
      expect(again.status).toBe(200)
    },
  )
})

describe('a write', () => {
  test('that waits for others for too long is stopped, and changes nothing', async ({
    connect,
    engine,
    serve,
    schema,
    signed,
  }) => {
    const http = await serve({ writeTimeoutMs: 200, authenticate: () => admin })
    const { id } = await engine.enqueue({ queue: 'mail' })
    const held = await engine.running({ queue: 'other' })
    const other = await connect()
    await other.query('begin')
    await other.query(`select from ${schema}.tasks for update`)
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await http.fetch(new Request(`http://tusk.test/api/v1${path}`, request))
      const { code } = (await answer.json()) as { code: string }
      return [answer.status, code]
    }

    const answers = [
      await post(`/tasks/${id}/cancel`, {}),
      await post(`/tasks/${held.id}/fail`, { claim: await signed(held.claim) }),
    ]
    await other.query('rollback')

    expect(answers).toEqual([
      [503, 'statement_timeout'],
      [503, 'statement_timeout'],
    ])
    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })
})

const admin = { name: 'ada', scopes: ['admin'] }
