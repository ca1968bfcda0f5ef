import { describe, expect } from 'vitest'
import { member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

interface Pack {
  readonly id: string
  readonly claim: string
  readonly size: number
}

const fill = (engine: TestEngine, n: number) =>
  engine.enqueueMany(range(n).map((payload) => ({ queue: 'mail', payload })))

const claimPacks = (engine: TestEngine, limit = 100, spare = 0) =>
  engine.rows<Pack>(
    `select id, claim, size from claim_queues('{mail}', $1, p_spare => $2)`,
    limit,
    spare,
  )

async function complete(engine: TestEngine, packs: readonly Pack[], outputs: unknown = null) {
  const lost = await engine.rows<{ id: string }>(
    'select id from complete_packs($1, $2, $3, $4::jsonb[]) as lost (id)',
    packs.map(({ id }) => id),
    packs.map(({ size }) => size),
    packs.map(({ claim }) => claim),
    outputs,
  )
  return lost.map(({ id }) => id)
}

const firstSize = (engine: TestEngine) =>
  engine.value<number>('select size from tasks order by id limit 1')

describe('complete_packs', () => {
  test('completes packs as they were claimed, and keeps them as rows', async ({ engine }) => {
    await fill(engine, 70)
    const packs = await claimPacks(engine)
    expect(packs.length).toBeLessThan(6)

    const outputs = packs.map(({ size }) =>
      size === 1 ? '0' : JSON.stringify(range(size).map((n) => (n === 1 ? null : n))),
    )
    expect(await complete(engine, packs, outputs)).toEqual([])

    expect(await engine.rows('select from tasks')).toEqual([])
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.value('select count(*)::int from finished')).toBe(packs.length)
    const shown = await engine.rows<{ state: string; output: number | null }>(
      'select state, output from task order by id',
    )
    expect(shown).toEqual(
      packs.flatMap(({ size }) =>
        range(size).map((n) => ({ state: 'done', output: n === 1 ? null : n })),
      ),
    )
    await engine.rows('select roll_up()')
    expect(await engine.value(`select done::int from totals where queue = 'mail'`)).toBe(70)
  })

  test('answers with the tasks that it did not complete', async ({ engine }) => {
    const enqueued = await fill(engine, 20)
    const packs = await claimPacks(engine)
    const cancelled = enqueued[5]?.id ?? ''
    await engine.cancel(cancelled)

    expect(await complete(engine, packs)).toEqual([cancelled])

    expect(await engine.task(cancelled)).toMatchObject({ state: 'cancelled' })
    expect(
      await engine.rows('select state, count(*)::int as n from task group by state order by state'),
    ).toEqual([
      { state: 'cancelled', n: 1 },
      { state: 'done', n: 19 },
    ])
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('counts a pack that is named twice once', async ({ engine }) => {
    await fill(engine, 20)
    const [pack] = await claimPacks(engine, 10)
    if (pack === undefined) throw new Error('nothing was claimed')

    expect(await complete(engine, [pack, pack])).toEqual([])

    expect(await engine.value(`select count(*)::int from task where state = 'done'`)).toBe(10)
  })

  test('ends nothing of a claim that it was not given', async ({ engine }) => {
    await fill(engine, 20)
    const [mine] = await claimPacks(engine, 10)
    const [other] = await claimPacks(engine, 10)
    if (mine === undefined || other === undefined) throw new Error('nothing was claimed')

    const lost = await complete(engine, [{ ...mine, size: 20 }])

    expect(lost).toEqual(range(10).map((n) => String(BigInt(other.id) + BigInt(n))))
    expect(await engine.rows('select id, open from claims')).toEqual([
      { id: other.claim, open: 10 },
    ])
  })

  test.for([
    ['a size is missing', { p_sizes: '{}' }],
    ['a size is 0', { p_sizes: '{0}' }],
    ['a size is above that of any pack', { p_sizes: '{33}' }],
    ['a size is null', { p_sizes: '{null}' }],
    ['there is no claim', { p_claims: '{null}' }],
    ['the outputs of a pack are not an array', { p_outputs: '{1}' }],
    ['the outputs of a pack are too few', { p_outputs: '{[1]}' }],
  ] as const)('refuses a call in which %s', async ([, wrong], { engine }) => {
    await fill(engine, 10)
    const [pack] = await claimPacks(engine)
    const { p_ids, p_sizes, p_claims, p_outputs } = {
      p_ids: `{${pack?.id}}`,
      p_sizes: `{${pack?.size}}`,
      p_claims: `{${pack?.claim}}`,
      p_outputs: null,
      ...wrong,
    }

    await expect(
      engine.rows(
        'select complete_packs($1, $2, $3, $4::jsonb[])',
        p_ids,
        p_sizes,
        p_claims,
        p_outputs,
      ),
    ).rejects.toMatchObject({ code: 'invalid_argument' })

    expect(await engine.value(`select count(*)::int from task where state = 'running'`)).toBe(10)
  })
})

describe('claim_queues with spare room', () => {
  test('takes a pack whole that is not too large for it', async ({ engine }) => {
    await fill(engine, 30)
    const first = await firstSize(engine)
    expect(first).toBeGreaterThan(5)

    expect(await claimPacks(engine, first - 3, 3)).toMatchObject([{ size: first }])
  })

  test('cuts a pack that is', async ({ engine }) => {
    await fill(engine, 30)
    const first = await firstSize(engine)
    expect(first).toBeGreaterThan(5)

    expect(await claimPacks(engine, first - 3, 2)).toMatchObject([{ size: first - 3 }])
  })

  test('keeps the limit of a queue', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 7 })
    await fill(engine, 30)

    expect(await claimPacks(engine, 5, 31)).toMatchObject([{ size: 5 }])
    expect(await claimPacks(engine, 5, 31)).toMatchObject([{ size: 2 }])
    expect(await claimPacks(engine, 5, 31)).toEqual([])
  })

  test.for([-1, null])('refuses %s', async (spare, { engine }) => {
    await expect(
      engine.rows(`select claim_queues('{mail}', 1, p_spare => $1)`, spare),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('locks the tasks of a pack that was split in the order of their ids', async ({
    engine,
    connect,
  }) => {
    for (const payload of range(3)) await engine.enqueue({ queue: 'mail', payload })
    const [first, , third] = await claimPacks(engine)
    const worker = await member(engine, connect)
    const operator = await member(engine, connect)
    const lock = 'select from tasks where id = $1 for no key update'

    await operator.rows('begin')
    await operator.rows(lock, first?.id)
    const lost = complete(worker, first && third ? [{ ...first, size: 2 }, third] : [])
    await waitsForLock(engine, worker)
    await operator.rows(lock, third?.id)
    await operator.rows('commit')

    expect(await lost).toEqual([])
    expect(await engine.rows('select from tasks')).toEqual([])
  })
})
