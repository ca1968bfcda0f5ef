import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { test } from '../support/home.ts'
import { type InstalledProject, installProject } from '../support/installed-project.ts'

describe('the tusk binary', () => {
  let project: InstalledProject
  beforeAll(async () => {
    project = await installProject()
  })
  afterAll(() => project.remove())

  test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops its Postgres and ends well on %s',
    async (signal, { home }) => {
      const process = project.tusk(['start'], { env: { TUSK_HOME: home, TUSK_HTTP_PORT: '0' } })
      await process.says('postgres://')

      process.send(signal)

      expect(await process.ended).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('is stopped'),
      })
      expect(await findRunning(home)).toBeUndefined()
    },
  )

  test('ends with the exit code of the command', async ({ home }) => {
    const { ended } = project.tusk(['db', 'url'], { env: { TUSK_HOME: home } })

    expect(await ended).toMatchObject({ code: 3, stdout: '' })
  })
})
