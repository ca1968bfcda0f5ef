import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { tiers } from './test/tiers.ts'

export default defineConfig({
  test: {
    globalSetup: ['test/support/cluster.ts'],
    // At a load of 25 on two processors, what takes ten seconds took two minutes; a hang is found all the same.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // After one second, the default, a busy machine has not answered.
    expect: { poll: { timeout: 60_000 } },
    // Tests wait for Postgres and for browsers a third of their time: one more than there are processors.
    maxWorkers: availableParallelism() + 1,
    // Files share the modules that a process has loaded: without, two fifths of the processor time went into loading
    // them again. The slow tier starts programs and listens to signals, so each of its files has a process of its own.
    // Each run names the projects it wants; see the scripts of package.json.
    projects: tiers.map((tier) => ({
      extends: true as const,
      test: { ...tier, isolate: tier.name === 'slow' },
    })),
  },
})
