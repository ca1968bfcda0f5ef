import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { openHere } from '../support/testing.ts'

const tasks = { tidy_up: () => {} }

async function isThere(schema: string): Promise<boolean> {
  const client = new pg.Client(inject('pgUrl'))
  await client.connect()
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
  await client.end()
  return rowCount === 1
}

describe('a test tusk', () => {
  test('does not see the tasks of another beside it', async () => {
    await using one = await openHere(tasks)
    await using other = await openHere(tasks)
    await one.tusk.enqueue('tidy_up')

    expect(await other.enqueued()).toEqual([])
    expect(await other.runAll()).toEqual([])
    expect(await one.runAll()).toHaveLength(1)
  })

  test('drops its schema when it is closed, and only then', async () => {
    const here = await openHere(tasks)
    expect(await isThere(here.schema)).toBe(true)

    await here.close()
    await here.close()

    expect(await isThere(here.schema)).toBe(false)
  })

  test('takes the name it is given, quotes included', async () => {
    const schema = `Test "of" ${randomBytes(4).toString('hex')}`
    const here = await openHere(tasks, { schema })
    await here.tusk.enqueue('tidy_up')
    await here.pass('1 minute')
    expect(await here.runAll()).toHaveLength(1)
    await here.clear()
    await here.close()

    expect(await isThere(schema)).toBe(false)
  })

  test('refuses a schema that is there already, since it would drop it', async () => {
    await using here = await openHere(tasks)

    await expect(openHere(tasks, { schema: here.schema })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    expect(await isThere(here.schema)).toBe(true)
  })

  test('leaves a pool open that it was given', async () => {
    const pool = new pg.Pool({ connectionString: inject('pgUrl') })
    const here = await openHere(tasks, { database: pool })
    await here.close()

    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})

describe('clear', () => {
  test('leaves nothing of the test before', async () => {
    await using here = await openHere(tasks)
    const { id } = await here.tusk.enqueue('tidy_up', undefined, { key: 'a' })
    await here.tusk.queues.set('tidy_up', { maxAttempts: 1 })
    await here.tusk.queues.pause('tidy_up')

    await here.clear()

    expect(await here.tusk.tasks.get(id)).toBeNull()
    await here.tusk.enqueue('tidy_up', undefined, { key: 'a' })
    expect(await here.runAll()).toMatchObject([{ outcome: 'done' }])
  })
})
