import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/tasks/context.ts'
import { StepFailed } from '../../src/tasks/durable.ts'
import { openHere } from '../support/testing.ts'

type Empty = Record<never, never>

describe('ctx.step', () => {
  test('runs once, and gives later runs what it returned', async () => {
    const ran: string[] = []
    const given: unknown[] = []
    const order = async (_: Empty, ctx: Context) => {
      const at = await ctx.step('charge', () => {
        ran.push('charge')
        return { at: new Date(0), n: ran.length }
      })
      given.push(at)
      if (ctx.attempt === 1) throw new Error('later')
      await ctx.step('book', () => void ran.push('book'))
      return at
    }
    await using here = await openHere({ order })
    await here.tusk.enqueue('order', {})

    await here.runAll()
    await here.pass('1 minute')
    const [second] = await here.runAll()

    expect(ran).toEqual(['charge', 'book'])
    expect(given[0]).toEqual({ at: '1970-01-01T00:00:00.000Z', n: 1 })
    expect(given[1]).toEqual(given[0])
    expect(second).toMatchObject({ outcome: 'done', output: given[0] })
  })

  test('is tried again by its own policy, without an attempt of the task', async () => {
    let tries = 0
    const order = async (_: Empty, ctx: Context) =>
      ctx.step(
        'charge',
        () => {
          tries += 1
          if (tries < 3) throw new Error('busy')
          return tries
        },
        { maxAttempts: 5, backoff: '10 minutes' },
      )
    await using here = await openHere({ order })
    const { id } = await here.tusk.enqueue('order', {}, { maxAttempts: 1 })

    expect(await here.runAll()).toMatchObject([{ outcome: 'waiting', state: 'waiting' }])
    expect(await here.tusk.tasks.steps(id)).toMatchObject([
      { name: 'charge', state: 'retrying', attempt: 1, error: { message: 'busy' } },
    ])
    await here.pass('10 minutes')
    await here.runAll()
    await here.pass('10 minutes')

    expect(await here.runAll()).toMatchObject([{ outcome: 'done', output: 3, attempt: 1 }])
  })

  test('throws StepFailed after its last attempt, now and in every later run', async () => {
    const caught: unknown[] = []
    const order = async (_: Empty, ctx: Context) => {
      try {
        await ctx.step('charge', () => Promise.reject(new Error('no money')), { maxAttempts: 1 })
      } catch (error) {
        caught.push(error)
      }
      await ctx.delay('a while', '1 hour')
      return 'compensated'
    }
    await using here = await openHere({ order })
    await here.tusk.enqueue('order', {})

    await here.runAll()
    await here.pass('1 hour')
    expect(await here.runAll()).toMatchObject([{ outcome: 'done', output: 'compensated' }])

    expect(caught).toHaveLength(2)
    for (const error of caught) {
      expect(error).toBeInstanceOf(StepFailed)
      expect(error).toMatchObject({ step: 'charge', message: 'charge failed: no money' })
    }
  })

  test('rejects a name that is used twice, with a hint', async () => {
    const order = async (_: Empty, ctx: Context) => {
      await ctx.step('mail', () => 1)
      await ctx.step('mail', () => 2)
    }
    await using here = await openHere({ order })
    await here.tusk.enqueue('order', {})

    expect(await here.runAll()).toMatchObject([
      {
        outcome: 'failed',
        error: {
          code: 'invalid_argument',
          message: 'the step name "mail" is used twice',
          hint: expect.stringContaining('"item 17/mail"'),
        },
      },
    ])
  })

  test.for([
    ['that JSON cannot hold', 1n, 'result_not_storable', 'BigInt'],
    ['above 1 MB', 'x'.repeat(1_048_577), 'result_not_storable', 'larger than 1048576 bytes'],
    // It has 900 kB as text.
    ['above 1 MB as jsonb', Array(450_000).fill(1), 'payload_too_large', `step 'charge' has`],
  ] as const)(
    'fails a step for good, and does not repeat it, if its result is one %s',
    async ([, result, code, words]) => {
      let given: unknown = result
      let charges = 0
      const charge = () => {
        charges += 1
        return given
      }
      const order = async (_: Empty, ctx: Context) =>
        (await ctx.step('charge', charge, { maxAttempts: 3 })) === 'paid'
      await using here = await openHere({ order })
      const { id } = await here.tusk.enqueue('order', {})
      const error = { code, message: expect.stringContaining(words) }

      expect(await here.runAll()).toMatchObject([
        { outcome: 'failed', state: 'failed', error: { code: 'step_failed' } },
      ])
      expect(await here.tusk.tasks.steps(id)).toMatchObject([{ state: 'failed', error }])
      expect(charges).toBe(1)

      given = 'paid'
      await here.tusk.tasks.retry(id)
      expect(await here.runAll()).toMatchObject([{ outcome: 'done', output: true }])
      expect(await here.tusk.tasks.steps(id)).toMatchObject([{ state: 'done', output: 'paid' }])
    },
  )

  test('fails a task that writes a chunk which JSON cannot hold, and does not repeat it', async () => {
    const order = async (_: Empty, ctx: Context) => ctx.write(1n as never)
    await using here = await openHere({ order })
    await here.tusk.enqueue('order', {})

    expect(await here.runAll()).toMatchObject([
      { outcome: 'failed', state: 'failed', error: { code: 'chunk_not_storable' } },
    ])
  })

  test('rejects a step that was renamed while the task slept, and names what is stored', async () => {
    let name = 'charge'
    let options = {}
    const charges: string[] = []
    const order = async (_: Empty, ctx: Context) => {
      await ctx.step(name, () => charges.push(name), options)
      await ctx.delay('sleep', '1 hour')
    }
    await using here = await openHere({ order })
    await here.tusk.enqueue('order', {}, { maxAttempts: 2 })
    await here.runAll()

    name = 'charge card'
    await here.pass('1 hour')
    const [refused] = await here.runAll()
    options = { was: 'charge' }
    await here.pass('1 hour')
    const [ran] = await here.runAll()

    expect(refused).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'wrong_state',
        message: 'step "charge card" is not stored, but earlier runs went on to "charge", "sleep"',
        hint: expect.stringContaining("{ was: 'old name' }"),
      },
    })
    expect(ran).toMatchObject({ outcome: 'done' })
    expect(charges).toEqual(['charge'])
  })

  test('stores lazy steps with the next that is not', async () => {
    const lazy: number[] = []
    const order = async (_: Empty, ctx: Context) => {
      await ctx.step('a', () => lazy.push(1), { checkpoint: 'lazy' })
      await ctx.step('b', () => 1)
      if (ctx.attempt === 1) throw new Error('later')
    }
    await using here = await openHere({ order })
    const { id } = await here.tusk.enqueue('order', {})
    await here.runAll()

    expect(await here.tusk.tasks.steps(id)).toMatchObject([{ name: 'a' }, { name: 'b' }])
    expect(lazy).toEqual([1])
  })

  test('runs steps side by side, before and after a crash', async () => {
    const ran: string[] = []
    const order = async (_: Empty, ctx: Context) => {
      const branch = async (name: string) => {
        await ctx.step(`${name}1`, () => void ran.push(`${name}1`))
        await ctx.step(`${name}2`, () => void ran.push(`${name}2`))
      }
      await Promise.all([branch('a'), branch('b')])
    }
    await using here = await openHere({ order })
    await here.tusk.enqueue('order', {})
    here.crashAt(3, 'after')
    expect(await here.run(1)).toMatchObject([{ outcome: 'lost' }])

    expect(await here.runAll()).toMatchObject([{ outcome: 'done' }])
    expect(new Set(ran)).toEqual(new Set(['a1', 'a2', 'b1', 'b2']))
  })
})

describe('ctx.transaction with a name', () => {
  test.for(['before', 'after'] as const)(
    'has its effect exactly once if the process dies %s it',
    async (when) => {
      let ledger = ''
      const order = async (_: Empty, ctx: Context) =>
        ctx.transaction('book', async (db) => {
          await db.query(`insert into ${ledger} values (1)`)
          return 'booked'
        })
      await using here = await openHere({ order })
      ledger = `${here.schema}.ledger`
      await here.pool.query(`create table ${ledger} (n integer)`)
      await here.tusk.enqueue('order', {})
      here.crashAt(1, when)
      expect(await here.run(1)).toMatchObject([{ outcome: 'lost' }])

      expect(await here.runAll()).toMatchObject([{ outcome: 'done', output: 'booked' }])
      const { rows } = await here.pool.query(`select n from ${ledger}`)
      expect(rows).toEqual([{ n: 1 }])
    },
  )

  test('undoes its writes when the lease was lost', async () => {
    let ledger = ''
    let cancel = async () => {}
    const order = async (_: Empty, ctx: Context) =>
      ctx.transaction('book', async (db) => {
        await db.query(`insert into ${ledger} values (1)`)
        await cancel()
        return 'booked'
      })
    await using here = await openHere({ order })
    ledger = `${here.schema}.ledger`
    await here.pool.query(`create table ${ledger} (n integer)`)
    const { id } = await here.tusk.enqueue('order', {})
    cancel = () => here.tusk.tasks.cancel(id)

    expect(await here.runAll()).toMatchObject([{ outcome: 'lost', state: 'cancelled' }])
    expect((await here.pool.query(`select from ${ledger}`)).rows).toEqual([])
  })
})
