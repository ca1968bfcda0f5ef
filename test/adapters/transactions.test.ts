import { describe, expect, inject } from 'vitest'
import { test } from '../support/client.ts'
import { libraries } from './libraries.ts'

const tricky = {
  text: `it's "quoted" \\ and $1 ? ?? :name {a,b} NULL 👩‍👧`,
  list: [null, true, 1.5, ['{}']],
}

describe.for(Object.entries(libraries))('in a transaction of %s', ([, openLibrary]) => {
  const withLibrary = test.extend<{ library: Awaited<ReturnType<typeof openLibrary>> }>({
    library: async ({ engine }, use) => {
      await engine.rows('create table orders (id integer primary key)')
      const library = await openLibrary(inject('pgUrl'))
      await use(library)
      await library.close()
      await engine.rows('drop table orders')
    },
  })

  withLibrary('a task exists once that commits', async ({ library, tusk, engine, schema }) => {
    await library.transaction(async ({ on, write }) => {
      await write(`insert into ${schema}.orders values (7)`)
      await tusk.enqueueTask({ queue: 'invoices', payload: { order: 7 }, on })

      expect(await engine.rows('select from tasks')).toEqual([])
    })

    expect(await engine.rows('select id from orders')).toEqual([{ id: 7 }])
    expect(await engine.rows('select queue, payload from tasks')).toEqual([
      { queue: 'invoices', payload: { order: 7 } },
    ])
  })

  withLibrary(
    'a task never was if that is rolled back',
    async ({ library, tusk, engine, schema }) => {
      const rolledBack = library.transaction(async ({ on, write }) => {
        await write(`insert into ${schema}.orders values (7)`)
        await tusk.enqueueTask({ queue: 'invoices', on })
        throw new Error('on second thoughts')
      })

      await expect(rolledBack).rejects.toThrow('on second thoughts')
      expect(await engine.rows('select from orders')).toEqual([])
      expect(await engine.rows('select from tasks')).toEqual([])
    },
  )

  withLibrary('every property arrives as it was given', async ({ library, tusk, engine }) => {
    const runAt = new Date('2100-01-01T00:00:00.123Z')
    const options = { runAt, key: tricky.text, tags: [tricky.text, ''], groups: [tricky.text] }

    const ids: string[] = []
    await library.transaction(async ({ on }) => {
      const handles = await tusk.enqueueTasks(
        [
          { queue: 'mail', payload: tricky, ...options, meta: tricky, priority: -3 },
          { queue: 'mail', payload: null, delay: '1 hour', freesKey: true },
        ],
        { on },
      )
      ids.push(...handles.map(({ id }) => id))
    })

    expect(await engine.task(ids[0] ?? '')).toMatchObject({
      payload: tricky,
      key: tricky.text,
      tags: options.tags,
      groups: options.groups,
      meta: tricky,
      priority: -3,
      run_at: runAt,
    })
    expect(await engine.task(ids[1] ?? '')).toMatchObject({ state: 'scheduled', payload: null })
  })

  withLibrary('a key that is taken says so', async ({ library, tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', key: 'k' })

    await library.transaction(async ({ on }) => {
      const again = await tusk.enqueueTask({ queue: 'mail', key: 'k', on })
      expect(again).toMatchObject({ id, outcome: 'kept' })
    })
  })

  withLibrary('nothing is prepared by name, as poolers want it', async ({ library, tusk }) => {
    await library.transaction(async ({ on }) => {
      await tusk.enqueueTask({ queue: 'mail', on })

      const { rows } = await on.query(
        `select name from pg_prepared_statements where statement like '%enqueue_many(%'`,
      )
      expect(rows.filter(({ name }) => name !== '')).toEqual([])
    })
  })

  withLibrary('a refusal is a TuskError', async ({ library, tusk }) => {
    const refused = library.transaction(async ({ on }) => {
      await tusk.enqueueTask({ queue: 'mail', maxAttempts: 0, on })
    })

    await expect(refused).rejects.toMatchObject({
      name: 'TuskError',
      code: 'invalid_argument',
      message: expect.stringContaining('max_attempts must be 1 or more'),
    })
  })
})
