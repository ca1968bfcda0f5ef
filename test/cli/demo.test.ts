import { describe, expect, inject } from 'vitest'
import { query, test } from '../support/home.ts'
import { listening } from '../support/listening.ts'
import { until } from '../support/until.ts'

describe('tusk demo', () => {
  test('brings a database of others to life in a schema of its own', async ({ home }) => {
    const url = inject('pgUrl')
    const env = { TUSK_HOME: home, DATABASE_URL: url }
    const queuesDone = async () =>
      (await query(url, `select distinct queue from tusk_demo.task where state = 'done'`)).map(
        ({ queue }) => queue as string,
      )

    const { code, talk } = await listening(['demo', '--no-roles'], env, async () => {
      await until(async () => {
        const done = await queuesDone()
        return ['mail', 'heartbeat', 'orders'].every((queue) => done.includes(queue))
      })
    })
    const schedules = await query(url, 'select from tusk_demo.schedule')
    const workers = await query(url, 'select from tusk_demo.worker')
    await query(url, 'drop schema tusk_demo cascade')

    expect(code).toBe(0)
    expect(talk).toContain('npx tusk stats --watch --schema tusk_demo')
    expect({ schedules, workers }).toEqual({ schedules: [], workers: [] })
  })
})
