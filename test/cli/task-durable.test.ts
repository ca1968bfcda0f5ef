import { describe, expect } from 'vitest'
import { test } from '../support/cli.ts'
import { durableVerbs } from '../support/durable.ts'

describe('durable tasks on the command line', () => {
  test('shows steps, the family and what a task waits for', async ({ engine, json, type }) => {
    const durable = durableVerbs(engine)
    const order = await engine.running({ queue: 'orders' })
    await durable.save(order, 'bill', { number: 1 })
    const [pack, label] = await durable.spawn(order, {
      pack: { queue: 'pack' },
      label: { queue: 'label' },
    })
    const packing = await engine.claimOne('pack')
    const [box] = await durable.spawn(packing, { box: { queue: 'box' } })
    await durable.suspend(order, { kind: 'signal', name: 'payment', signal: 'paid' })

    const tree = await type(['task', 'tree', order.id])
    expect(tree.data.split('\n').map((line) => line.trimEnd())).toEqual([
      expect.stringMatching(/^ *id │ task +│ state +│ queue +│ attempt │ took │ note$/),
      expect.anything(),
      expect.stringMatching(
        new RegExp(`^ *${order.id} │ orders +│ waiting │ .* │ waits for signal paid$`),
      ),
      expect.stringMatching(new RegExp(`^ *${pack} │ ├─ pack +│ running │ pack`)),
      expect.stringMatching(new RegExp(`^ *${box} │ │ {2}└─ box +│ ready +│ box`)),
      expect.stringMatching(new RegExp(`^ *${label} │ └─ label +│ ready +│ label`)),
      '',
    ])
    expect(await json('task', 'tree', order.id)).toMatchObject([
      { id: order.id, depth: 0 },
      { id: pack, parent: order.id, step: 'pack' },
      { id: label },
      { id: box, parent: pack, depth: 2 },
    ])
    expect((await type(['task', 'tree', order.id, '-n', '2'])).talk).toMatch(/more than 2/)

    const shown = await type(['task', 'show', order.id])
    expect(shown.data).not.toContain('9999')
    expect(shown.data).toMatch(/\nsteps\nstep +│ kind/)
    expect(shown.data).toMatch(/\nbill +│ step +│ done +│ +1 │ \d+ms +│ 2/)
    expect(shown.data).toMatch(new RegExp(`\npack +│ child +│ open .*task ${pack}\n`))
    expect(await json('task', 'show', order.id)).toMatchObject({
      steps: [{ name: 'bill', output: { number: 1 } }, { name: 'pack' }, {}, { name: 'payment' }],
    })
    expect((await type(['task', 'list', 'state:waiting'])).data).toContain('waits for signal paid')
  })

  test('sends a signal to a task or to a key', async ({ engine, run }) => {
    const durable = durableVerbs(engine)
    const task = await engine.running({ queue: 'orders', key: 'order 17' })
    await durable.suspend(task, { kind: 'signal', name: 'paid', signal: 'paid' })

    const byKey = ['--queue', 'orders', '--key', 'order 17']
    const early = await run('task', 'signal', ...byKey, 'shipped')
    const sent = await run('task', 'signal', task.id, 'paid', '{"by": "ada"}')

    expect(early.talk).toBe('Signal shipped is sent to key order 17 of queue orders.\n')
    expect(sent).toMatchObject({ code: 0, talk: `Signal paid is sent to task ${task.id}.\n` })
    expect(await engine.task(task.id)).toMatchObject({ state: 'ready' })
    expect(
      await engine.rows('select id::text, name, payload, key from pending_signal order by name'),
    ).toEqual([
      { id: sent.data.trim(), name: 'paid', payload: { by: 'ada' }, key: null },
      { id: early.data.trim(), name: 'shipped', payload: null, key: 'order 17' },
    ])
    expect(await engine.value(`select door from audit_entry where action = 'signal' limit 1`)).toBe(
      'cli',
    )
  })

  test.for([
    ['no name', ['42'], 2, /the name of the signal is missing/],
    ['what is not an id', ['paid', '{}'], 2, /the id "paid" is invalid/],
    ['what is not JSON', ['42', 'paid', 'ada'], 2, /the payload "ada" is invalid\nIt is not JSON/],
    ['a word too many', ['42', 'paid', '1', '2'], 2, /unexpected argument "2"/],
    ['a key without its queue', ['--key', 'k', 'paid'], 2, /--key needs the queue/],
    ['a queue without a key', ['--queue', 'q', '42', 'paid'], 2, /go with --key/],
    ['a task that does not exist', ['999999', 'paid'], 3, /999999/],
  ] as const)('refuses a signal with %s', async ([, args, code, said], { run }) => {
    const answer = await run('task', 'signal', ...args)

    expect(answer.code).toBe(code)
    expect(answer.talk).toMatch(said)
  })

  test('prints a stream, from a place, and follows it to the end', async ({
    engine,
    run,
    type,
  }) => {
    const task = await engine.running({ queue: 'agent' })
    const write = (...chunks: readonly string[]) =>
      engine.rows('select write_chunks($1, $2, $3::jsonb[])', task.id, task.claim, chunks)
    await write('"one\\ntwo \\u001b[2J"', '{"n": 2}')

    expect((await type(['task', 'stream', task.id])).data).toBe('one\ntwo ·[2J\n{"n":2}\n')
    const later = await run('task', 'stream', task.id, '--after', '1')
    expect(JSON.parse(later.data)).toMatchObject([{ place: '2', attempt: 1, chunk: { n: 2 } }])
    expect((await run('task', 'stream', '999999')).code).toBe(3)

    // More than a page, at once.
    await write(...Array.from({ length: 1_001 }, (_, at) => String(at)))
    const followed = run('task', 'stream', task.id, '-f')
    await write('"last"')
    await engine.complete(task)

    const { code, data, talk } = await followed
    expect({ code, talk }).toEqual({ code: 0, talk: `Task ${task.id} is done.\n` })
    const places = data
      .trim()
      .split('\n')
      .map((line) => Number(JSON.parse(line).place))
    expect(places).toEqual(Array.from({ length: 1_004 }, (_, at) => at + 1))
  })

  test('retries from a step, one task or all of a query', async ({ engine, run }) => {
    const durable = durableVerbs(engine)
    const failing = async () => {
      const task = await engine.running({ queue: 'orders' })
      for (const name of ['bill', 'charge', 'mail']) await durable.save(task, name)
      await engine.fail(task, null, { retry: false })
      return task.id
    }
    const [one, other] = [await failing(), await failing()]

    expect((await run('task', 'retry', one, '--from', 'nope')).code).toBe(2)
    expect((await run('task', 'retry', one, '--from', 'charge')).code).toBe(0)
    const many = ['--query', 'queue:orders state:failed', '--from', 'mail', '--yes']
    expect((await run('task', 'retry', ...many)).talk).toContain('1 task done')

    expect(await durable.steps(one)).toMatchObject([{ name: 'bill' }])
    expect(await durable.steps(other)).toMatchObject([{ name: 'bill' }, { name: 'charge' }])
  })
})
