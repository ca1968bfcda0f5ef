import { expect, test, vi } from 'vitest'
import { openTestTusk } from '../../src/testing/open-test-tusk.ts'

test('starts a Postgres where none is named, and shares it within the process', async () => {
  vi.stubEnv('DATABASE_URL', undefined)
  await using one = await openTestTusk({ tasks: { greet: () => 'hello' } })
  await using other = await openTestTusk({ tasks: {} })

  const task = await one.tusk.enqueue('greet')

  expect(await one.waitFor(task)).toMatchObject({ output: 'hello' })
  expect(other.pool.options.connectionString).toBe(one.pool.options.connectionString)
  vi.unstubAllEnvs()
})
