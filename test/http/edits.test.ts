import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { documentOf } from '../support/http-ask.ts'
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

const actions = [
  ['/tasks/{waiting}', 'cancel', {}],
  ['/tasks/{waiting}', 'move', { run_at: '2030-01-01T00:00:00Z' }],
  ['/tasks/{over}', 'retry', {}],
  ['/tasks/{running}', 'kill', {}],
  ['/schedules/report', 'pause', {}],
  ['/schedules/report', 'resume', {}],
  ['/schedules/report', 'run', {}],
  ['/schedules/report', 'backfill', { from: '2020-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z' }],
  ['/queues/mail', 'pause', {}],
  ['/queues/mail', 'resume', {}],
  ['/groups/acme', 'pause', {}],
  ['/groups/acme', 'resume', {}],
] as const

describe('an action with If-Match', () => {
  test.for(actions)(
    '%s/%s happens only to what was seen',
    async ([path, verb, body], { ask, engine }) => {
      await engine.setGroup('acme', { max_running: 1 })
      await engine.setSchedule('report', { cron: '@daily', task: { queue: 'reports' } })
      const over = await engine.running({ queue: 'other' })
      await engine.complete(over)
      const running = await engine.running({ queue: 'another' })
      const { id: waiting } = await engine.enqueue({ queue: 'mail' })
      const url = path
        .replace('{waiting}', waiting)
        .replace('{over}', over.id)
        .replace('{running}', running.id)
      if (verb === 'resume') await ask.post(`${url}/pause`)
      const tag = (await ask.get(url)).headers.get('etag') ?? ''
      const audited = () => engine.value('select count(*)::integer from audit')
      const before = await audited()

      const other = await ask.post(`${url}/${verb}`, body, { headers: { 'if-match': '"another"' } })
      const changes = await audited()
      const same = await ask.post(`${url}/${verb}`, body, { headers: { 'if-match': tag } })

      expect([other.status, other.body.code]).toEqual([412, 'precondition_failed'])
      expect(changes).toBe(before)
      expect(same.status).toBeLessThan(300)
      expect(await audited()).toBeGreaterThan(Number(before))
    },
  )

  test.for([
    ['/schedules/none', 'run', 'schedule_not_found'],
    ['/schedules/none', 'pause', 'schedule_not_found'],
    ['/tasks/999999999', 'cancel', 'task_not_found'],
  ] as const)('%s/%s of what is not there says so', async ([path, verb, code], { ask }) => {
    const { status, body } = await ask.post(`${path}/${verb}`, {}, { headers: { 'if-match': '*' } })

    expect([status, body.code]).toEqual([404, code])
  })

  test('never takes what another connection changes between the look and the deed', async ({
    ask,
    connect,
    engine,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const tag = (await ask.get(`/tasks/${id}`)).headers.get('etag') ?? ''
    const other = await connect()
    await other.query('begin')
    await other.query(`select amend(${id}, '{"priority": 3}')`)

    const cancelling = ask.post(`/tasks/${id}/cancel`, {}, { headers: { 'if-match': tag } })
    await until(async () => (await engine.value(waiting)) === 1)
    await other.query('commit')

    expect((await cancelling).body.code).toBe('precondition_failed')
    expect(await engine.task(id)).toMatchObject({ state: 'ready', priority: 3 })
  })

  test('is in the document, with every other route that heeds it', async ({ http }) => {
    const { paths } = await documentOf(http)
    const heeding = Object.entries<Record<string, { parameters?: { name: string }[] }>>(
      paths,
    ).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'If-Match'))
        .map(([method]) => `${method} ${path.replace('/api/v1', '')}`),
    )

    const acting = actions.map(([path, verb]) =>
      `post ${path}/${verb}`.replace(/\{\w+\}/, '{id}').replace(/report|mail|acme/, '{name}'),
    )
    expect(heeding.toSorted()).toEqual(
      [
        ...acting,
        ...['patch /tasks/{id}', 'delete /tasks/{id}'],
        ...['put', 'patch', 'delete'].map((method) => `${method} /schedules/{name}`),
        ...['patch /queues/{name}', 'patch /groups/{name}'],
      ].toSorted(),
    )
  })
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
