import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { test as base, type Said, tusk } from '../support/cli.ts'

const never = () => new Promise<void>(() => {})

const test = base.extend<{ drain: (...args: string[]) => Promise<Said> }>({
  drain: async ({ db, schema }, use) => {
    await db.query('select')
    const module = join(tmpdir(), `drain-${schema}.mjs`)
    await writeFile(
      module,
      `export const quick = async () => 1
       export const slow = (_, { signal }) =>
         new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))`,
    )
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
    await use((...args) => tusk(['drain', module, ...args], env, never))
  },
})

describe('tusk drain', () => {
  test('runs what is due, ends, and exits with 0', async ({ engine, drain }) => {
    await engine.enqueueMany(Array.from({ length: 20 }, () => ({ queue: 'quick' })))
    await engine.enqueue({ queue: 'quick', runAt: new Date('2100-01-01') })

    expect(await drain('--for', '5m')).toMatchObject({ code: 0 })

    expect(
      await engine.rows('select state, count(*)::integer from task group by 1 order by 1'),
    ).toEqual([
      { state: 'done', count: 20 },
      { state: 'scheduled', count: 1 },
    ])
    expect(await engine.rows('select from worker')).toEqual([])
  })

  test('exits with 124 when the time is up, and gives back what runs', async ({
    engine,
    drain,
  }) => {
    await engine.enqueue({ queue: 'slow' })

    expect(await drain('--for', '3s')).toMatchObject({ code: 124 })

    expect(await engine.rows('select attempt, claim from tasks')).toEqual([
      { attempt: 0, claim: null },
    ])
  })

  test.for([['--for', 'soon'], ['--for', '0s'], []])('refuses %j', async (args, { drain }) => {
    expect((await drain(...args)).code).toBe(2)
  })
})
