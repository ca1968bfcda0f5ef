import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, describe, expect, inject } from 'vitest'
import { project } from '../../bench/project.ts'
import { summarize } from '../../bench/report/summary.ts'
import { table } from '../../bench/report/table.ts'
import { type Cell, runScenario } from '../../bench/run.ts'
import { drainFinished } from '../../bench/scenarios/drain-around.ts'
import { enqueueBulk } from '../../bench/scenarios/enqueue.ts'
import type { Scenario } from '../../bench/scenarios/scenario.ts'
import { openSubjects } from '../../bench/subjects/open-subjects.ts'

const sizes = { tasks: 600, singles: 5, background: 2_000, groups: 50, hot: 500, seconds: 1 }

const test = base.extend<{ run: (scenario: Scenario) => Promise<Cell[]> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  run: async ({}, use) => {
    const scratch = await mkdtemp(join(tmpdir(), 'tusk-bench-test-'))
    const subjects = await openSubjects(project, scratch, ['HEAD'], ['plain'])
    const url = inject('pgUrl')
    const name = `bench_${randomBytes(4).toString('hex')}`
    await use((scenario) =>
      runScenario(scenario, { url, run: name, subjects, sizes, rounds: 2, onProgress: () => {} }),
    )
    await rm(scratch, { recursive: true })
  },
})

describe('the benchmark', () => {
  test('measures every subject in every round', async ({ run }) => {
    const cells = await run(enqueueBulk)

    expect(cells.map(({ subject }) => subject)).toEqual(['here', 'HEAD', 'plain'])
    expect(cells.map(({ rounds }) => rounds.length)).toEqual([2, 2, 2])
    expect(table(summarize(cells)).split('\n')).toHaveLength(4)
  })

  test('counts time, processor, WAL and dead rows, and finds all tasks done', async ({ run }) => {
    const cells = await run(drainFinished)

    // The plain design keeps nothing that could lie around.
    expect(cells).toHaveLength(5)
    for (const { rounds, failure } of cells) {
      expect(failure).toBeUndefined()
      for (const round of rounds) {
        expect(round.tasks).toBe(sizes.tasks)
        expect(round.perSecond).toBeGreaterThan(0)
        expect(round.walBytes).toBeGreaterThan(0)
        expect(round.nodeMicros).toBeGreaterThan(0)
        // Tasks that share a row share its dead ones.
        expect(round.deadMade).toBeGreaterThan(0)
      }
    }
  })
})
