import { describe, expect } from 'vitest'
import { candidates, card, lapse, renew, take } from '../support/chores.ts'
import { test } from '../support/engine.ts'

describe('release_chores', () => {
  test('frees what is led in this term, and names a successor', async ({ engine, connect }) => {
    const client = await connect()
    const schema = await engine.value<string>('select current_schema()')
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query(`listen "${schema}:chores"`)
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')

    expect(await engine.releaseChores('ada', [{ chore: 'tidy', term: 1n }], 'shutdown')).toEqual([
      'tidy',
    ])

    await client.query('select')
    expect(heard.map((text) => JSON.parse(text))).toEqual([{ chore: 'tidy', heir: 'bob' }])
    expect(await take(engine, 'bob')).toBe(2n)
    expect(await engine.value('select how from terms where term = 1')).toBe('shutdown')
  })

  test('never frees what a later leader holds', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')
    await lapse(engine)
    await take(engine, 'bob')

    expect(await engine.releaseChores('ada', [{ chore: 'tidy', term: 1n }], 'shutdown')).toEqual([])
    expect(await engine.releaseChores('ada', [{ chore: 'tidy', term: 2n }], 'shutdown')).toEqual([])
    expect(await renew(engine, 'bob', 2n)).toBe(2n)
  })

  test('lets the last leader rest after a rotation', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')
    await engine.releaseChores('ada', [{ chore: 'tidy', term: 1n }], 'rotation')

    expect(await take(engine, 'ada')).toBeNull()
    expect(await take(engine, 'bob')).toBe(2n)
  })

  test('does not let it rest when there is no other worker', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    await engine.releaseChores('ada', [{ chore: 'tidy', term: 1n }], 'rotation')

    expect(await take(engine, 'ada')).toBe(2n)
  })

  test('ends the rest by itself', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')
    await engine.releaseChores('ada', [{ chore: 'tidy', term: 1n }], 'error')
    await engine.rows(`update chores set rest_until = clock_timestamp()`)

    expect(await take(engine, 'ada')).toBe(2n)
  })

  test('thinks of no heir that drains, is silent or may not lead', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob', 'cyd', 'dan')
    await engine.rows(`select drain_worker('bob')`)
    await engine.rows(`update workers set beat_at = now() - interval '2 minutes' where id = 'cyd'`)
    await engine.registerChores('dan', [card], false)

    expect(await engine.value(`select choose_successor('tidy', 'ada', '')`)).toBeNull()
    expect(await engine.value(`select choose_successor('tidy', 'bob', '')`)).toBe('ada')
  })

  test('refuses an end that it does not know', async ({ engine }) => {
    await expect(
      engine.rows(`select release_chores('ada', '{}', '{}', 'boredom')`),
    ).rejects.toMatchObject({ message: "unknown end of leadership 'boredom'" })
  })
})

describe('resign', () => {
  test('asks the leader, who hears of it when it renews', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')

    expect(await engine.resign('tidy')).toBe('ada')

    const [lead] = await engine.leadChores('ada', [{ chore: 'tidy', term: 1n }])
    expect(lead).toMatchObject({ term: 1n, resign: true })
  })

  test('does not hold up a leader by lock while it is not committed', async ({
    engine,
    connect,
  }) => {
    await candidates(engine, 'ada')
    await engine.registerChores('ada', [{ ...card, strategy: 'advisory' }], true)
    const session = engine.on(await connect())
    await session.lockChore('ada', 'tidy')
    const operator = engine.on(await connect())
    await operator.rows('begin')
    await operator.resign('tidy')

    expect(await session.lockChore('ada', 'tidy')).toEqual({ term: 1n, resign: false })
    await operator.rows('commit')
    expect(await session.lockChore('ada', 'tidy')).toEqual({ term: 1n, resign: true })
    await session.rows('select pg_advisory_unlock_all()')
    expect(await engine.resign('tidy')).toBeNull()
  })

  test('asks no worker when none leads, and knows no chore by another name', async ({ engine }) => {
    await candidates(engine, 'ada')

    expect(await engine.resign('tidy')).toBeNull()
    expect(await take(engine, 'ada')).toBe(1n)
    const [lead] = await engine.leadChores('ada', [{ chore: 'tidy', term: 1n }])
    expect(lead?.resign).toBe(false)
    await lapse(engine)
    expect(await engine.resign('tidy')).toBeNull()
    await expect(engine.resign('nope')).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('register_chores', () => {
  test('makes the row of a chore once, and changes what it is set to', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')
    await engine.registerChores('bob', [{ ...card, ttlMs: 20_000 }], true)

    expect(await engine.rows('select name, term, holder, ttl::text from chores')).toEqual([
      { name: 'tidy', term: '1', holder: 'ada', ttl: '00:00:20' },
    ])
  })

  test.for<[string, object]>([
    ['a name', { every: '1 s' }],
    ['known strategy', { name: 'tidy', every: '1 s', strategy: 'magic' }],
    ['longer than 0', { name: 'tidy', every: '0' }],
    ['longer than 0', { name: 'tidy' }],
    ['timeout', { name: 'tidy', every: '1 s', timeout: '-1 s' }],
    ['ttl', { name: 'tidy', every: '1 s', ttl: '1 ms' }],
    ['an end of its lease', { name: 'tidy', every: '1 s', ttl: 'infinity' }],
    ['an end of its lease', { name: 'tidy', every: '1 s', ttl: '101 years' }],
    ['times that can be read', { name: 'tidy', every: 'often' }],
    ['no setting', { name: 'tidy', every: '1 s', color: 'red' }],
  ])('refuses a chore that says nothing of %s', async ([, chore], { engine }) => {
    await expect(
      engine.rows('select register_chores($1, $2)', 'ada', JSON.stringify([chore])),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(await engine.rows('select * from chores')).toEqual([])
  })
})
