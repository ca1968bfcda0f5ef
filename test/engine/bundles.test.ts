import { describe, expect, test as plainTest } from 'vitest'
import { toBundles } from '../../src/engine/bundles.ts'
import { toPacks } from '../../src/engine/packs.ts'
import type { NewTask } from '../../src/engine/task.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const sizesOf = async (engine: TestEngine) =>
  (await engine.rows<{ size: number }>('select size from tasks order by id')).map(
    ({ size }) => size,
  )

const payloadsOf = async (engine: TestEngine) =>
  (await engine.rows<{ payload: unknown }>('select payload from task order by id')).map(
    ({ payload }) => payload,
  )

const bundle = (engine: TestEngine, payloads: readonly unknown[][], options = '') =>
  engine.rows<{ id: string; outcome: string }>(
    `select * from enqueue_many($1, $2::jsonb[], p_sizes => $3${options})`,
    payloads.map(() => 'mail'),
    payloads.map((each) => JSON.stringify(each.length === 1 ? each[0] : each)),
    payloads.map((each) => each.length),
  )

describe('enqueue_many with sizes', () => {
  test('stores each bundle as a row, and answers for each task', async ({ engine }) => {
    const answers = await bundle(engine, [[1, [2], null], ['x'], [{ a: 1 }, {}]])

    expect(await sizesOf(engine)).toEqual([3, 1, 2])
    expect(await payloadsOf(engine)).toEqual([1, [2], null, 'x', { a: 1 }, {}])
    expect(answers.map(({ outcome }) => outcome)).toEqual(Array(6).fill('created'))
    expect(answers.map(({ id }) => id)).toEqual(
      (await engine.rows<{ id: string }>('select id from task order by id')).map(({ id }) => id),
    )
    await engine.rows('select roll_up()')
    expect(await engine.value(`select enqueued::int from totals where queue = 'mail'`)).toBe(6)
  })

  test('cuts a bundle where another session has the ids between', async ({ engine, connect }) => {
    // So that the ids of one session are known to jump: otherwise two would have to call at the same moment.
    await engine.rows('alter sequence task_ids cache 32')
    const [one, other] = [engine.on(await connect()), engine.on(await connect())]
    await one.rows(`select nextval('task_ids') from generate_series(1, 10)`)
    await other.rows(`select nextval('task_ids')`)

    await bundle(one, [range(30), range(30)])

    expect((await sizesOf(engine)).length).toBeGreaterThan(2)
    expect(await payloadsOf(engine)).toEqual([...range(30), ...range(30)])
  })

  test.for([
    ['have a key', `, p_keys => '{a,b}'`],
    ['have groups', `, p_groups => '{{a},{b}}'::text[]`],
    ['have a deadline', `, p_deadlines => array[now() + '1 hour', now() + '1 hour']`],
    ['are documents', `, p_kinds => '{document,document}'`],
  ] as const)('stores tasks one by one that %s', async ([, options], { engine }) => {
    const literal = options.replace(`'{{a},{b}}'::text[]`, `array['{a}', '{b}']`)
    if (options.includes('p_keys')) {
      // The tasks of a bundle share its key, so the second of each is kept out.
      await bundle(
        engine,
        [
          [1, 2],
          [3, 4],
        ],
        literal,
      )
      expect(await payloadsOf(engine)).toEqual([1, 3])
      return
    }
    await bundle(
      engine,
      [
        [1, 2],
        [3, 4],
      ],
      literal,
    )

    expect(await sizesOf(engine)).toEqual([1, 1, 1, 1])
    expect(await payloadsOf(engine)).toEqual([1, 2, 3, 4])
  })

  test('stores tasks one by one where the queue says so', async ({ engine }) => {
    await engine.setQueue('mail', { packs: false })

    await bundle(engine, [[1, 2, 3]])

    expect(await sizesOf(engine)).toEqual([1, 1, 1])
    expect(await payloadsOf(engine)).toEqual([1, 2, 3])
  })

  test('makes smaller rows of a bundle that is too large for one', async ({ engine }) => {
    const texts = range(40).map((n) => `${n}`.padEnd(100, 'x'))

    await bundle(engine, [texts])

    expect(Math.max(...(await sizesOf(engine)))).toBeLessThan(20)
    expect(await payloadsOf(engine)).toEqual(texts)
  })

  test('names the task whose payload is too large, and stores none', async ({ engine }) => {
    await engine.setQueue('mail', { max_payload: 200 })

    await expect(
      bundle(engine, [
        [1, 2],
        [3, 'x'.repeat(300)],
      ]),
    ).rejects.toMatchObject({
      code: 'payload_too_large',
      cause: { detail: '{"task": 4}' },
    })

    expect(await sizesOf(engine)).toEqual([])
  })

  test('names the task that breaks a rule', async ({ engine }) => {
    await expect(
      bundle(
        engine,
        [
          [1, 2],
          [3, 4],
        ],
        `, p_max_attempts => '{1,0}'`,
      ),
    ).rejects.toMatchObject({ code: 'invalid_argument', cause: { detail: '{"task": 3}' } })
  })

  test('records an event for each task', async ({ engine }) => {
    await engine.setQueue('mail', { records_events: true })

    const answers = await bundle(engine, [[1, 2, 3]])

    expect(await engine.rows('select event, task, queue from events order by id')).toEqual(
      answers.map(({ id }) => ({ event: 'enqueue', task: id, queue: 'mail' })),
    )
  })

  test.for([
    ['is missing', '{}'],
    ['is 0', '{0}'],
    ['is null', '{null}'],
    ['is not that of the payload', '{3}'],
    ['is in a list of lists', '{{2}}'],
  ])('refuses a call in which a size %s', async ([, sizes], { engine }) => {
    await expect(
      engine.rows(`select enqueue_many('{mail}', array['[1,2]'::jsonb], p_sizes => $1)`, sizes),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('refuses a size above 1 for a payload that is not an array', async ({ engine }) => {
    await expect(
      engine.rows(`select enqueue_many('{mail}', array['{}'::jsonb], p_sizes => '{2}')`),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('toBundles', () => {
  const bundled = (tasks: readonly NewTask[]) =>
    toBundles(tasks, ({ payload }) => JSON.stringify(payload))?.map(({ size }) => size)
  const alike = (n: number, given: Partial<NewTask> = {}) =>
    range(n).map((payload): NewTask => ({ queue: 'mail', payload, ...given }))

  plainTest('puts tasks together that follow one another and are alike', () => {
    expect(bundled([...alike(40), ...alike(5, { queue: 'post' })])).toEqual([32, 8, 5])
  })

  plainTest('gives up where few are alike', () => {
    const inTurns = alike(40).map((task, n) => ({ ...task, queue: n % 2 === 0 ? 'a' : 'b' }))
    expect(bundled(inTurns)).toBeUndefined()
    expect(bundled(alike(1))).toBeUndefined()
  })

  plainTest.for<[string, Partial<NewTask>]>([
    ['a key', { key: 'a' }],
    ['groups', { groups: ['a'] }],
    ['a deadline', { deadline: new Date() }],
    ['another kind', { kind: 'sql' }],
  ])('leaves tasks with %s alone', ([, given]) => {
    expect(bundled([...alike(30), ...alike(3, given)])).toEqual([30, 1, 1, 1])
  })

  // Every property but the payload: a new one does not compile until it has a value here.
  const others: Required<Omit<NewTask, 'payload' | 'payloadJson'>> = {
    queue: 'post',
    handler: 'other',
    kind: 'document',
    priority: 1,
    runAt: new Date(0),
    delay: '1 minute',
    key: 'a',
    onDuplicate: 'replace',
    window: '1 minute',
    freesKey: true,
    groups: ['a'],
    maxRunning: 1,
    tags: ['a'],
    version: 2,
    maxAttempts: 1,
    backoff: { kind: 'constant', base: '1 second' } as never,
    timeout: '1 minute',
    deadline: new Date(0),
    retention: '1 day',
    parent: '1',
    meta: {},
    after: ['1'],
    afterFailure: 'run',
  }
  plainTest.for(Object.entries(others))('separates tasks that differ in %s', ([name, value]) => {
    const [other] = alike(1, { [name]: value })
    expect(bundled([...alike(30), other as NewTask, ...alike(30)])).toEqual([30, 1, 30])
  })

  plainTest('keeps a bundle small enough for a row', () => {
    const long = alike(100, { payload: 'x'.repeat(100) })
    expect(Math.max(...(bundled(long) ?? []))).toBeLessThan(18)
    expect(bundled([...alike(10), ...alike(2, { payload: 'x'.repeat(2_000) })])).toEqual([10, 1, 1])
  })
})

describe('toPacks', () => {
  const pack = { id: '7', size: 3 }
  const end = (id: number, output: string | null = null, given = pack) => ({
    id: `${id}`,
    claim: '1',
    output,
    startedAt: null,
    pack: given,
  })

  plainTest('tells a pack as one when all of it has succeeded', () => {
    const outputs = [end(7, '1'), end(8), end(9, '[]')]
    expect(toPacks(outputs)).toMatchObject([{ id: '7', size: 3, output: '[1,null,[]]' }])
    expect(toPacks([end(7), end(8), end(9)])).toMatchObject([{ id: '7', size: 3, output: null }])
  })

  plainTest('tells tasks one by one otherwise', () => {
    expect(toPacks([end(7), end(9)]).map(({ size }) => size)).toEqual([1, 1])
    expect(toPacks([end(8), end(9), end(7)]).map(({ size }) => size)).toEqual([1, 1, 1])
    const large = 'x'.repeat(60_000)
    expect(toPacks([end(7, large), end(8, large), end(9)]).map(({ size }) => size)).toEqual([
      1, 1, 1,
    ])
    const other = { id: '9', size: 2 }
    expect(toPacks([end(7), end(8), end(9, null, other)]).map(({ size }) => size)).toEqual([
      1, 1, 1,
    ])
  })
})
