import { describe, expect } from 'vitest'
import { testRoles } from '../../support/engine.ts'
import { test } from '../../support/fetchq.ts'

describe('clients that pick at once', () => {
  test.for([1, 3])(
    'eight of them never share a document, %s at a time, and none is left',
    { timeout: 600_000 },
    async (limit, { fetchq, connect }) => {
      const subjects = Array.from({ length: 400 }, (_, n) => `doc-${n}`)
      await fetchq.queue('q1')
      await fetchq.rows(
        `select fetchq.doc_push_many('q1', $1)`,
        JSON.stringify(subjects.map((subject) => ({ subject }))),
      )
      const clients = await Promise.all(Array.from({ length: 8 }, () => connect()))

      const taken = await Promise.all(
        clients.map(async (client) => {
          const mine: string[] = []
          for (;;) {
            const picked = await client.rows<{ subject: string }>(
              `select subject from fetchq.doc_pick('q1', $1::integer)`,
              limit,
            )
            if (picked.length === 0) return mine
            for (const { subject } of picked) {
              mine.push(subject)
              expect(await client.value(`select fetchq.doc_complete('q1', $1)`, subject)).toBe(1)
            }
          }
        }),
      )

      expect(taken.flat().sort()).toEqual([...subjects].sort())
      expect(await fetchq.counters('q1')).toMatchObject({ cnt: 400, cpl: 400, pkd: 400, prc: 400 })
    },
  )

  test('two that push one subject make one document', async ({ fetchq, connect }) => {
    await fetchq.queue('q1')
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect()))

    for (let round = 0; round < 10; round += 1) {
      const queued = await Promise.all(
        clients.map((client) =>
          client.value<number>(`select fetchq.doc_push('q1', $1)`, `doc-${round}`),
        ),
      )
      expect(queued.reduce((sum, n) => sum + n, 0)).toBe(1)
    }
  })
})

describe('a bulk', () => {
  test('stores what is new, whatever is taken or comes twice', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    const push = (...subjects: string[]) =>
      fetchq.value(
        `select fetchq.doc_push('q1', 0, now(), $1)`,
        subjects.map((subject, n) => `('${subject}',${n}, '{"n": ${n}}', {DATA})`).join(', '),
      )

    expect([await push('b', 'c'), await push('d', 'a'), await push('e', 'e')]).toEqual([2, 1, 1])

    expect(await fetchq.counters('q1')).toEqual({ ent: 5, cnt: 5, v0: 5, pnd: 5 })
    expect(await fetchq.rows(`select subject, payload from fetchq.doc_pick('q1', 3)`)).toEqual([
      { subject: 'c', payload: { n: 1 } },
      { subject: 'a', payload: {} },
      { subject: 'b', payload: { n: 0 } },
    ])
  })
})

describe('one document at a time', () => {
  test('waits for room in its group, and lets others pass', async ({ fetchq }) => {
    const { engine } = fetchq
    await fetchq.queue('q1')
    await engine.setGroup('tenant', { max_running: 1 })
    for (const key of ['a', 'b'])
      await engine.enqueue({ queue: 'q1', kind: 'document', version: 0, key, groups: ['tenant'] })
    await fetchq.rows(`select fetchq.doc_push('q1', 'c')`)

    expect([await fetchq.pick('q1'), await fetchq.pick('q1')]).toEqual(['a', 'c'])
    expect(await fetchq.pick('q1')).toBeUndefined()
    await fetchq.rows(`select fetchq.doc_complete('q1', 'a')`)

    expect(await fetchq.pick('q1')).toBe('b')
  })

  test('is not picked from a queue that is paused, or of another version', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    expect(await fetchq.rows(`select * from fetchq.doc_pick('q1', 7, 1, '5m')`)).toEqual([])
    await fetchq.engine.pause('q1')
    expect(await fetchq.pick('q1')).toBeUndefined()

    await fetchq.engine.resume('q1')

    expect(await fetchq.pick('q1')).toBe('a')
  })
})

describe('rights', () => {
  const may = {
    producer: [`select fetchq.doc_push('q1', 'new')`],
    worker: [`select fetchq.doc_pick('q1')`, `select fetchq.mnt_run_all(10)`],
    operator: [
      `select fetchq.queue_create('q2')`,
      'select * from fetchq.queues',
      'select * from fetchq_data.q1__docs',
      'truncate fetchq.metrics',
      `select fetchq.doc_push('q1', 'new')`,
      `select fetchq.doc_pick('q1')`,
    ],
  } as const

  test.for(Object.keys(may) as (keyof typeof may)[])(
    'a %s may do what its role is for, without a right in the engine',
    async (role, { fetchq, connect }) => {
      await fetchq.queue('q1', 'a')
      const session = await connect()
      await session.client.query(`set role ${testRoles}_${role}`)

      for (const statement of may[role]) await session.rows(statement)
    },
  )

  test.for([
    ['producer', `select fetchq.doc_pick('q1')`],
    ['worker', `select fetchq.doc_push('q1', 'a')`],
    ['worker', `select fetchq.queue_drop('q1')`],
    ['operator', 'select fetchq.destroy_with_terrible_consequences()'],
    ['operator', `select fetchq.push_document(null, null, null, null, null, null)`],
  ] as const)('a %s may not: %s', async ([role, statement], { fetchq, connect }) => {
    await fetchq.queue('q1', 'a')
    const session = await connect()
    await session.client.query(`set role ${testRoles}_${role}`)

    await expect(session.rows(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('PUBLIC has none', async ({ fetchq, db }) => {
    await fetchq.queue('q1')
    const { rows } = await db.query(
      `select proname as name from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner)))
       where pronamespace = $1::regnamespace and grantee = 0
       union all
       select relname from pg_class, aclexplode(relacl)
       where relnamespace in ($1::regnamespace, $2::regnamespace) and grantee = 0`,
      [fetchq.schema, `${fetchq.schema}_data`],
    )

    expect(rows).toEqual([])
  })
})

describe('functions with the rights of their owner', () => {
  test('look for names in the dialect and the engine only', async ({ db, schemas }) => {
    const { rows } = await db.query(
      `select oid::regprocedure from pg_proc
       where pronamespace = $1::regnamespace and prosecdef and not $2 = any (coalesce(proconfig, '{}'))`,
      [schemas.dialect, `search_path=${schemas.dialect}, ${schemas.engine}, pg_temp`],
    )

    expect(rows).toEqual([])
  })
})

describe('the end of everything', () => {
  test('leaves no document in the engine', async ({ fetchq, db, schemas }) => {
    await fetchq.queue('q1', 'a')

    await fetchq.rows('select fetchq.destroy_with_terrible_consequences()')

    expect(await fetchq.engine.value('select count(*)::int from task')).toBe(0)
    const { rows } = await db.query('select to_regnamespace($1) as schema', [schemas.dialect])
    expect(rows).toEqual([{ schema: null }])
    expect(await fetchq.engine.running()).toMatchObject({ attempt: 1 })
  })
})
