import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    // At a load of 25 on two processors, what takes ten seconds took two minutes; a hang is found all the same.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // After one second, the default, a busy machine has not answered.
    expect: { poll: { timeout: 60_000 } },
    // Tests wait for Postgres and for browsers a third of their time: one more than there are processors.
    maxWorkers: availableParallelism() + 1,
  },
})
