import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const tooLarge = (what: RegExp) => ({
  code: 'payload_too_large',
  message: expect.stringMatching(what),
})
const invalid = (what: RegExp) => ({
  code: 'invalid_argument',
  message: expect.stringMatching(what),
})
/** An expression of Postgres for JSON of so many bytes. */
const json = (bytes: number) => `to_jsonb(repeat('x', ${bytes}))`

describe('a producer', () => {
  test.for<[string, string, RegExp]>([
    ['handler', `p_handler => repeat('h', 201)`, /handler has 201 characters, at most 200/],
    ['number of tags', `p_tags => array_fill('t'::text, array[101])`, /101 tags, at most 100/],
    ['tag', `p_tags => array[repeat('t', 201)]`, /tags has more than 200 characters/],
    ['wide key', `p_key => repeat('\u{1f418}', 480)`, /key has 1920 bytes, at most 1800/],
    [
      'wide group',
      `p_groups => array[repeat('\u{1f418}', 480)]`,
      /groups has more than 1800 bytes/,
    ],
  ])('cannot store a %s beyond its limit', async ([, argument, what], { engine }) => {
    await expect(engine.rows(`select enqueue('mail', ${argument})`)).rejects.toMatchObject(
      invalid(what),
    )
    expect(await engine.value('select count(*)::integer from task')).toBe(0)
  })

  test('cannot store a meta beyond its limit, alone or in a bulk', async ({ engine }) => {
    const what = /the meta of .* has 700\d\d bytes, at most 65536/
    await expect(
      engine.rows(`select enqueue('mail', p_meta => ${json(70_000)})`),
    ).rejects.toMatchObject(tooLarge(what))
    await expect(
      engine.rows(
        `select enqueue_many(array['a', 'b'], array['{}', '{}']::jsonb[], p_metas => array['{}', ${json(70_000)}])`,
      ),
    ).rejects.toMatchObject(tooLarge(/task 2 of 2/))
  })

  test('can store what is as large as its limit', async ({ engine }) => {
    await engine.rows(
      `select enqueue('mail', p_handler => repeat('h', 200), p_tags => array_fill(repeat('t', 200), array[100]),
                      p_meta => ${json(65_000)}, p_key => repeat('k', 500), p_groups => array[repeat('g', 1800)])`,
    )

    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test('can use names whose characters take four bytes each', async ({ engine }) => {
    const name = (length: number) =>
      `(select string_agg(chr(131072 + (hashint4(i) & 32767)), '') from generate_series(1, ${length}) as i)`
    await engine.rows(`select set_queue(${name(200)}, '{"is_fair": true}')`)

    await engine.rows(
      `select enqueue(${name(200)}, p_key => ${name(450)}, p_groups => array[${name(450)}])`,
    )

    expect(await engine.rows(`select id from claim(${name(200)})`)).toHaveLength(1)
  })

  test('cannot enqueue more than 100,000 tasks with one call', async ({ engine }) => {
    await expect(
      engine.rows(
        `select enqueue_many(array_fill('mail'::text, array[100001]), array_fill('{}'::jsonb, array[100001]))`,
      ),
    ).rejects.toMatchObject(invalid(/a call with 100001 tasks: at most 100000/))
  })

  test('learns which literal of a list cannot be read', async ({ engine }) => {
    await expect(
      engine.rows(
        `select enqueue_many(array['a', 'b'], array['{}', '{}']::jsonb[], p_tags => array['{t}', '{t'])`,
      ),
    ).rejects.toMatchObject(invalid(/task 2 of 2 cannot be enqueued: its tags are '{t'/))
  })
})

describe('a worker', () => {
  test('keeps its task when its output is refused', async ({ engine }) => {
    const task = await engine.running()

    await expect(
      engine.rows(`select complete($1, $2, ${json(17_000_000)})`, task.id, task.claim),
    ).rejects.toMatchObject(tooLarge(/the output of the task has 170\d+ bytes, at most 16777216/))

    await engine.complete(task, 'small')
    expect(await engine.task(task.id)).toMatchObject({ state: 'done', output: 'small' })
  })

  test('completes nothing when an output of a bulk is refused, and learns which', async ({
    engine,
  }) => {
    const tasks = [await engine.running(), await engine.running()]

    await expect(
      engine.rows(
        `select complete_many($1::bigint[], $2::bigint[], array['1', ${json(17_000_000)}])`,
        tasks.map(({ id }) => id),
        tasks.map(({ claim }) => claim),
      ),
    ).rejects.toMatchObject(tooLarge(/the output of task 2 of 2/))

    expect(await engine.completeMany(tasks)).toHaveLength(2)
  })

  test('cannot store a progress or a state beyond its limit', async ({ engine }) => {
    const { id, claim } = await engine.running()
    await engine.rows(`select register_worker('w', '{mail}', 1, 'here', 1, '1')`)

    await expect(
      engine.rows(`select progress($1, $2, ${json(9_000_000)})`, id, claim),
    ).rejects.toMatchObject(tooLarge(/progress .* at most 8388608/))
    await expect(
      engine.rows(`select heartbeat('w', '{}', '{}', p_state => ${json(70_000)})`),
    ).rejects.toMatchObject(tooLarge(/state of the worker .* at most 65536/))
  })

  test.for([
    'fail($1, $2, $error)',
    'fail_many(array[$1], array[$2], array[$error])',
    'reject($1, $2, $error)',
    'kill($1, $2, $error)',
  ])('has its error cut, not refused, by %s', async (verb, { engine }) => {
    const { id, claim } = await engine.running({ maxAttempts: 1 })
    const error = `jsonb_build_object('code', 'E1', 'message', repeat('m', 20000), 'rows', repeat('x', 2000000))`
    const call = verb.replace('$1', '$1::bigint').replace('$2', '$2::bigint')

    await engine.rows(`select ${call.replace('$error', error)}`, id, claim)

    const cut = { code: 'E1', message: `${'m'.repeat(8000)} … (cut)`, cut_from: 2_020_054 }
    expect(await engine.rows('select state, error from task where id = $1', id)).toEqual([
      { state: 'failed', error: { ...cut, cut_from: expect.any(Number) } },
    ])
    expect(await engine.rows('select error from attempt where task = $1', id)).toEqual([
      { error: { ...cut, cut_from: expect.any(Number) } },
    ])
  })

  test.for([
    "select register_worker($1, '{mail}', 1, 'here', 1, '1')",
    "select claim('mail', 1, $1)",
    "select sleep($1, '{mail}')",
    "select lead_chores($1, '{c}', '{null}')",
    "select lock_chore($1, 'c')",
    "select report_chores($1, '[]')",
    "select register_chores($1, '[]')",
  ])('with a long id is refused by %s', async (call, { engine }) => {
    await expect(engine.rows(call, 'w'.repeat(201))).rejects.toMatchObject(
      invalid(/the id of a worker has 201 characters, at most 200/),
    )
  })

  test('with the longest id can lead a chore and pass it on', async ({ engine }) => {
    const [first, second] = ['🐘'.repeat(200), '🦣'.repeat(200)]
    const chore = '🧹'.repeat(100)
    for (const worker of [first, second]) {
      await engine.rows(`select register_worker($1, '{mail}', 1, 'here', 1, '1')`, worker)
      await engine.rows(
        `select register_chores($1, jsonb_build_array(jsonb_build_object('name', $2::text, 'every', '1 minute')))`,
        worker,
        chore,
      )
    }
    await engine.rows(`select lead_chores($1, array[$2], '{null}')`, first, chore)

    await engine.rows(`select release_chores($1, array[$2], '{1}')`, first, chore)
    await engine.rows(`select lead_chores($1, array[$2], '{null}')`, second, chore)

    expect(await engine.rows('select worker, term from leader')).toEqual([
      { worker: second, term: '2' },
    ])
  })
})
