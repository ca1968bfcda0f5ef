import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    // What takes ten seconds takes a minute where others keep the processors busy; a hang is found all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As long as browsers wait: after one second, the default, a busy machine has not answered.
    expect: { poll: { timeout: 20_000 } },
    // Tests wait for Postgres and for browsers a third of their time: one more than there are processors.
    maxWorkers: availableParallelism() + 1,
  },
})
