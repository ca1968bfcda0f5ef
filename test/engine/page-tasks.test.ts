import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const page = 'select ids::text[], next from page_tasks($1, $2, $3)'
const count = 'select count::integer, exact from count_tasks($1, $2, $3)'

interface PageOfIds {
  readonly ids: string[]
  readonly next: string | null
}

describe('page_tasks', () => {
  test('gives live and finished tasks as one list, the newest first', async ({ engine }) => {
    const done = await engine.inState('done')
    const { id: waiting } = await engine.enqueue({ queue: 'post' })
    const cancelled = await engine.inState('cancelled')

    const [found] = await engine.rows<PageOfIds>(page, '{}', null, 10)

    const newest = [done.id, waiting, cancelled.id].sort((a, b) => Number(b) - Number(a))
    expect(found).toEqual({ ids: newest, next: null })
  })

  test('goes on where the page before ended', async ({ engine }) => {
    const made = await engine.enqueueMany([{ queue: 'a' }, { queue: 'b' }, { queue: 'a' }])
    const newest = made.map(({ id }) => id).sort((a, b) => Number(b) - Number(a))

    const [first] = await engine.rows<PageOfIds>(page, '{}', null, 2)
    const [second] = await engine.rows<PageOfIds>(page, '{}', first?.next, 2)

    expect(first).toEqual({ ids: newest.slice(0, 2), next: newest[1] })
    expect(second).toEqual({ ids: newest.slice(2), next: null })
  })

  test.for([
    'scheduled',
    'retrying',
    'blocked',
    'ready',
    'running',
    'done',
    'failed',
    'cancelled',
  ] as const)('finds the tasks that people see as %s', async (state, { engine }) => {
    await engine.enqueue({ queue: 'later', runAt: new Date('2100-01-01') })
    await engine.fail(await engine.running({ queue: 'again' }), null, { delay: '1 hour' })
    await engine.enqueue({ queue: 'held' })
    await engine.pause('held')
    await engine.inState('done')
    await engine.inState('failed')
    await engine.inState('cancelled')
    await engine.inState('running')
    await engine.enqueue({ queue: 'now' })

    const [found] = await engine.rows<PageOfIds>(page, JSON.stringify({ states: [state] }), null, 9)

    const shown = await engine.rows<{ id: string }>('select id from task where state = $1', state)
    expect(found).toEqual({ ids: shown.map(({ id }) => id), next: null })
    expect(shown).toHaveLength(1)
  })

  test('does not search the password of a connection string', async ({ engine }) => {
    await engine.rows(
      `insert into tasks (created_at, run_at, kind, queue, submitted_by, payload)
       values (now(), now(), 'sql', 'sql', 'test', '{"sql": "select 1", "connection": {"dsn": "host=here password=open-sesame"}}')`,
    )
    const found = async (text: string) =>
      (await engine.rows<PageOfIds>(page, JSON.stringify({ text }), null, 10))[0]?.ids.length

    expect(await found('HOST=here')).toBe(1)
    expect(await found('sesame')).toBe(0)
  })

  test('finds a task by the key that it gave back when it started', async ({ engine }) => {
    const { id } = await engine.running({ key: 'k', freesKey: true })

    expect(await engine.rows(page, '{"key": "k"}', null, 10)).toEqual([{ ids: [id], next: null }])
  })

  test('finds a few failures among many that succeeded without reading those', async ({
    engine,
  }) => {
    const failed = await engine.inState('failed')
    await engine.rows(
      `insert into finished (id, created_at, run_at, finished_at, keep_until, iteration, priority, version, attempt,
                             state, kind, queue, handler, submitted_by, payload)
       select 1000 + n, now(), now(), now(), now() + interval '1 day', 0, 0, 1, 1, 'done', 'handler', 'mail', 'mail', 'test', '{}'
       from generate_series(1, 30000) as n`,
    )

    const [found] = await engine.rows<PageOfIds>(
      `select ids::text[], next from page_tasks('{"states": ["failed"]}', p_limit => 10, p_within => '0')`,
    )

    expect(found).toEqual({ ids: [failed.id], next: null })
  })

  test.for([
    ['{"queu": "mail"}', 'Did you mean queue?'],
    ['{"states": ["faild"]}', 'Did you mean failed?'],
    ['{"states": "failed"}', 'arrays'],
    ['{"created_after": "yesterdayish"}', 'Write times'],
    ['[]', 'Write'],
  ] as const)('refuses the filter %s', async ([filter, hint], { engine }) => {
    await expect(engine.rows(page, filter, null, 10)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining(hint),
    })
    await expect(engine.rows(count, filter, 10, '1 s')).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})

describe('count_tasks', () => {
  test('counts what matches', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'a' }, { queue: 'b' }, { queue: 'a' }])

    expect(await engine.rows(count, '{"queue": "a"}', 10, '1 s')).toEqual([
      { count: 2, exact: true },
    ])
  })

  test('stops at the cap, and says so', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'a' }, { queue: 'b' }, { queue: 'a' }])

    expect(await engine.rows(count, '{}', 2, '1 s')).toEqual([{ count: 2, exact: false }])
  })
})
