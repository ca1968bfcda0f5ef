import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests wait for Postgres more than they compute: two at once even where Vitest would run one.
    maxWorkers: Math.max(availableParallelism() - 1, 2),
  },
})
