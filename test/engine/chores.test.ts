import { describe, expect } from 'vitest'
import { candidates, card, lapse, renew, take } from '../support/chores.ts'
import { all, crowd } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

describe('lead_chores', () => {
  test('gives a free chore to the first who asks, in term 1', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')

    expect(await take(engine, 'ada')).toBe(1n)
    expect(await take(engine, 'bob')).toBeNull()
    expect(await engine.rows('select chore, worker, term, host from leader')).toEqual([
      { chore: 'tidy', worker: 'ada', term: '1', host: 'host' },
    ])
  })

  test('renews by holder and term only', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')

    expect(await renew(engine, 'ada', 1n)).toBe(1n)
    expect(await renew(engine, 'ada', 2n)).toBeNull()
    expect(await renew(engine, 'bob', 1n)).toBeNull()
  })

  test('does not renew a lease that ran out, even if no worker took it', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    await lapse(engine)

    expect(await renew(engine, 'ada', 1n)).toBeNull()
    expect(await take(engine, 'ada')).toBe(2n)
  })

  test('hands a lease that ran out to another, in the next term', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')
    await lapse(engine)

    expect(await take(engine, 'bob')).toBe(2n)
    expect(await renew(engine, 'ada', 1n)).toBeNull()
    expect(await engine.rows('select term, worker, how from terms order by term')).toEqual([
      { term: '1', worker: 'ada', how: 'expired' },
      { term: '2', worker: 'bob', how: null },
    ])
  })

  test('begins a new term for a leader that lost the answer', async ({ engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')

    expect(await take(engine, 'ada')).toBe(2n)
    expect(await renew(engine, 'ada', 1n)).toBeNull()
  })

  test('goes on with the others while another session holds the row of one', async ({
    engine,
    connect,
  }) => {
    await candidates(engine, 'ada', 'bob')
    await engine.registerChores('ada', [card, { ...card, name: 'mop' }], true)
    await take(engine, 'ada', 'tidy')
    await take(engine, 'ada', 'mop')
    const led = ['tidy', 'mop'].map((chore) => ({ chore, term: 1n }))
    const operator = engine.on(await connect())
    await operator.rows('begin')
    await operator.resign('mop')
    const lease = `select name, expires_at from chores order by name`
    const before = await engine.rows<{ expires_at: Date }>(lease)

    const leads = await engine.leadChores('ada', led)

    const after = await engine.rows<{ expires_at: Date }>(lease)
    expect(leads).toMatchObject([
      { chore: 'mop', term: 1n, resign: false },
      { chore: 'tidy', term: 1n },
    ])
    expect(after[0]).toEqual(before[0])
    expect(Number(after[1]?.expires_at)).toBeGreaterThan(Number(before[1]?.expires_at))
    await operator.rows('commit')
    expect(await engine.leadChores('ada', led)).toMatchObject([{ resign: true }, { resign: false }])
  })

  test('takes a worker named none or null for what it is', async ({ engine }) => {
    await candidates(engine, 'none', 'bob')

    expect(await take(engine, 'none')).toBe(1n)
    expect(await take(engine, 'bob')).toBeNull()
  })

  test('keeps the leases of different chores apart', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await engine.registerChores('ada', [card, { ...card, name: 'mop' }], true)
    await take(engine, 'ada', 'tidy')

    expect(await take(engine, 'bob', 'mop')).toBe(1n)
  })

  test('tells followers when to look, and where they stand', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob', 'cyd')
    await take(engine, 'bob')

    const [lead] = await engine.leadChores('cyd', [{ chore: 'tidy', term: null }])

    expect(lead).toMatchObject({ term: null, place: 2, candidates: 3, resign: false })
    expect(lead?.free_in_ms).toBeGreaterThan(1_000)
    expect(lead?.free_in_ms).toBeLessThanOrEqual(10_000)
  })

  test('puts those who may be dead behind everybody else', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob', 'cyd', 'dan')
    await take(engine, 'ada')
    await engine.rows(
      `update workers set beat_at = beat_at - interval '30 seconds' where id in ('bob', 'dan')`,
    )
    const places = []
    for (const worker of ['bob', 'cyd', 'dan']) {
      const [lead] = await engine.leadChores(worker, [{ chore: 'tidy', term: null }])
      places.push(lead?.place)
    }

    expect(places).toEqual([1, 1, 2])
  })

  test('says nothing of a chore that no worker registered', async ({ engine }) => {
    expect(await engine.leadChores('ada', [{ chore: 'nope', term: null }])).toEqual([])
  })

  test('refuses what it cannot understand', async ({ engine }) => {
    await expect(engine.leadChores('', [])).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(
      engine.rows(`select * from lead_chores('ada', '{tidy}', '{}')`),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(
      engine.rows(`select * from lead_chores('ada', '{}', '{}', '{"chore": "tidy"}')`),
    ).rejects.toMatchObject({ code: 'invalid_argument', message: 'runs must be a JSON array' })
    for (const runs of ['[1]', '[{"chore": "tidy", "runs": "many"}]']) {
      await expect(engine.rows(`select report_chores('ada', $1)`, runs)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('runs cannot be read'),
      })
    }
  })

  test('has one winner per term, however many ask at once', async ({ engine, connect }) => {
    await candidates(engine, 'ada')
    const sessions = await crowd(engine, connect, 40)

    for (let term = 1n; term <= 5n; term += 1n) {
      const terms = await all(sessions, (session, n) => take(session, `worker ${n}`))
      expect(terms.filter((won) => won !== null)).toEqual([term])
      await lapse(engine)
    }
  })
})

describe('a fenced transaction', () => {
  test('goes on only in the term of its worker', async ({ engine }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')

    await engine.fence('tidy', 'ada', 1n)
    const lost = { code: 'leadership_lost' }
    await expect(engine.fence('tidy', 'bob', 1n)).rejects.toMatchObject(lost)
    await expect(engine.fence('tidy', 'ada', 2n)).rejects.toMatchObject(lost)
    await expect(engine.fence('nope', 'ada', 1n)).rejects.toMatchObject(lost)
    await lapse(engine)
    await expect(engine.fence('tidy', 'ada', 1n)).rejects.toMatchObject(lost)
  })

  test('lets its leader renew, and keeps candidates out until it ends', async ({
    engine,
    connect,
  }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')
    const tick = engine.on(await connect())
    await tick.rows('begin')
    await tick.fence('tidy', 'ada', 1n)

    expect(await renew(engine, 'ada', 1n)).toBe(1n)
    await lapse(engine)
    expect(await take(engine, 'bob')).toBeNull()

    await tick.rows('commit')
    expect(await take(engine, 'bob')).toBe(2n)
    expect(await renew(engine, 'ada', 1n)).toBeNull()
  })

  test('is refused while its successor takes over, and afterwards', async ({ engine, connect }) => {
    await candidates(engine, 'ada', 'bob')
    await take(engine, 'ada')
    await lapse(engine)
    const successor = engine.on(await connect())
    await successor.rows('begin')
    expect(await take(successor, 'bob')).toBe(2n)
    const lost = { code: 'leadership_lost' }

    await expect(engine.fence('tidy', 'ada', 1n)).rejects.toMatchObject(lost)
    expect(await renew(engine, 'ada', 1n)).toBeNull()
    await successor.rows('commit')
    await expect(engine.fence('tidy', 'ada', 1n)).rejects.toMatchObject(lost)
  })
})
