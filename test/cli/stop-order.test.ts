import { randomBytes } from 'node:crypto'
import { describe, expect, inject } from 'vitest'
import { loadConfig } from '../../src/cli/config/load-config.ts'
import { Services } from '../../src/cli/serving/services.ts'
import { startAll } from '../../src/cli/serving/start-all.ts'
import { query, test } from '../support/home.ts'

describe('what start and demo bring up', () => {
  test('stops the server, then those who work, then the client of the database', async ({
    home,
  }) => {
    const url = inject('pgUrl')
    const schema = `test_${randomBytes(8).toString('hex')}`
    const never = new Promise<void>(() => {})
    const io = {
      stdout: { write: () => true },
      stderr: { write: () => true },
      env: { TUSK_HOME: home, TUSK_SCHEMA: schema, TUSK_HTTP_PORT: '0', TUSK_LOG_LEVEL: 'error' },
      cwd: home,
      stopRequested: () => never,
    }
    const services = new Services(io)
    const stopped: unknown[] = []
    const all = await startAll({
      config: await loadConfig({ values: new Map([['database.roles', false]]) }, io),
      io,
      services,
      stopRequested: never,
      databaseOptions: { databaseUrl: url },
      startMore: async ({ tusk }) =>
        services.add({
          stop: async () => {
            const server = await fetch(`${all.server.url}/healthz`).then(
              () => 'answers',
              () => 'is gone',
            )
            const engine = await tusk.queues.stats().then(() => 'answers')
            stopped.push({ server, engine })
          },
        }),
    })
    const before = (await fetch(`${all.server.url}/healthz`)).status

    await services.stopAll()
    await query(url, `drop schema ${schema} cascade`)

    expect(before).toBe(200)
    expect(stopped).toEqual([{ server: 'is gone', engine: 'answers' }])
  })
})
