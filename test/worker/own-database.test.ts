import { afterEach, describe, expect, inject, vi } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/database/migrate-database.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { test as withSchema } from '../support/schema.ts'
import { test } from '../support/worker.ts'

afterEach(() => vi.unstubAllEnvs())

describe('a worker without a database of its own', () => {
  test('connects where DATABASE_URL leads, as a client does', async ({ engine, schema, db }) => {
    await db.query('select')
    vi.stubEnv('DATABASE_URL', inject('pgUrl'))
    const tasks = { mail: async () => 'sent' }
    const worker = await startWorker({ schema, tasks, signals: false, logger: false })
    const tusk = await Tusk.open({ schema, tasks })

    const task = await tusk.enqueue('mail', undefined)
    expect(await task.wait({ timeout: '5 minutes' })).toBe('sent')
    expect(await task.waitForEnd()).toMatchObject({ state: 'done', output: 'sent' })
    expect((await engine.task(task.id))?.state).toBe('done')
    await worker.stop({ deadlineMs: '1 second' })
    await tusk.close()
  })

  test('refuses a variable that is not a connection string', async () => {
    vi.stubEnv('DATABASE_URL', 'nowhere')
    await expect(startWorker({ tasks: { mail: () => {} }, signals: false })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})

describe('a handle', () => {
  test('cancels its task, and reads its progress', async ({ engine, schema }) => {
    const database = inject('pgUrl')
    const tusk = await Tusk.open({ database, schema })
    const task = await tusk.enqueueTask({ queue: 'mail' })
    expect(await task.progress()).toBeNull()
    await engine.progress(await engine.claimOne('mail'), { percent: 40 } as never)
    expect(await task.progress()).toEqual({ percent: 40 })

    await task.cancel()
    expect(await task.waitForEnd()).toMatchObject({ state: 'cancelled' })
    await tusk.tasks.delete(task.id)
    await expect(task.progress()).rejects.toMatchObject({ code: 'task_not_found' })
    await tusk.close()
  })
})

describe('migrate', () => {
  withSchema(
    'installs by open(), and by migrate(), and does nothing twice',
    async ({ schema: { name: schema } }) => {
      const database = inject('pgUrl')
      await expect(Tusk.open({ database, schema })).rejects.toMatchObject({
        code: 'schema_missing',
      })
      const tusk = await Tusk.open({ database, schema, migrate: true })
      await expect(tusk.enqueueTask({ queue: 'mail' })).resolves.toMatchObject({
        outcome: 'created',
      })
      await tusk.close()
      expect((await migrate(database, { schema })).applied).toEqual([])
    },
  )

  withSchema(
    'takes the database from DATABASE_URL, or says that it needs one',
    async ({ schema: { name: schema } }) => {
      vi.stubEnv('DATABASE_URL', inject('pgUrl'))
      expect((await migrate(undefined, { schema, roles: false })).applied.length).toBeGreaterThan(0)
      vi.stubEnv('DATABASE_URL', '')
      await expect(migrate(undefined, { schema })).rejects.toMatchObject({
        code: 'invalid_argument',
        message: 'migrate() needs a database',
      })
    },
  )
})
