import { describe, expect, test } from 'vitest'
import { parsePeerOptions } from '../../bench/peers/options.ts'
import { losses } from '../../bench/peers/report/losses.ts'
import { table } from '../../bench/peers/report/markdown.ts'
import { plots } from '../../bench/peers/report/plots.ts'
import { mergeResults, type PeerResult } from '../../bench/peers/report/result.ts'
import { fullSizes, quickSizes } from '../../bench/peers/sizes.ts'
import { type Cell, figureOf } from '../../bench/shared/cells.ts'
import { fillSections } from '../../bench/shared/fill-sections.ts'
import { format } from '../../bench/shared/format.ts'
import { randomFrom, shuffle, spreadOf } from '../../bench/shared/statistics.ts'

const machine = {
  ...{ at: '2026-11-18T05:00:00.000Z', cpu: 'a CPU', cores: 2, memoryGb: 8, system: 'linux x64' },
  ...{ node: 'v24.0.0', postgres: '18.4', commit: 'abc1234', isChanged: false, loadBefore: 1 },
}

function resultOf(cells: readonly Cell[]): PeerResult {
  const run = { loadAfter: 1, endedAt: machine.at, seed: 7, rounds: 3, sizes: fullSizes }
  return { machine, ...run, cells }
}

function drained(subject: string, ...rates: readonly number[]): Cell {
  const rounds = rates.map((perSecond) => ({ perSecond, nodeMicros: 10, databaseMicros: 20 }))
  return { workload: 'drain', variant: 'one', subject, rounds }
}

function amid(variant: string, subject: string, perSecond: number): Cell {
  return { workload: 'around', variant, subject, rounds: [{ perSecond }] }
}

describe('the statistics of the peer benchmark', () => {
  test('gives the median with the least and the greatest', () => {
    expect(spreadOf([30, 10, 20])).toEqual({ median: 20, min: 10, max: 30, rounds: 3 })
    expect(spreadOf([40, 10, 20, 30])?.median).toBe(25)
  })

  test('leaves out what a round could not measure', () => {
    expect(spreadOf([undefined, Number.NaN, 5])).toEqual({ median: 5, min: 5, max: 5, rounds: 1 })
    expect(spreadOf([undefined])).toBeNull()
  })

  test('repeats the order of a seed, and another seed gives another', () => {
    const items = Array.from({ length: 20 }, (_, n) => n)
    const order = shuffle(items, randomFrom(7))

    expect(shuffle(items, randomFrom(7))).toEqual(order)
    expect(shuffle(items, randomFrom(8))).not.toEqual(order)
    expect(order.toSorted((one, other) => one - other)).toEqual(items)
  })

  test('divides by the same figure without other tasks around', () => {
    const result = resultOf([amid('none', 'tusk', 200), amid('future', 'tusk', 150)])
    const source = { workload: 'around', metric: 'perSecond', over: 'none' }

    expect(figureOf(result, 'tusk', { ...source, variant: 'future' })?.median).toBe(0.75)
    expect(figureOf(result, 'plain', { ...source, variant: 'future' })).toBeNull()
  })

  test('takes a row that was measured again from the later result', () => {
    const merged = mergeResults([
      resultOf([drained('tusk', 1), drained('plain', 2)]),
      resultOf([drained('tusk', 3)]),
    ])

    expect(merged.cells).toEqual([drained('tusk', 3), drained('plain', 2)])
  })

  test('keeps the figures of a row that failed when it was measured again', () => {
    const failed = { ...drained('tusk'), failure: 'interrupted' }

    expect(mergeResults([resultOf([drained('tusk', 1)]), resultOf([failed])]).cells).toEqual([
      drained('tusk', 1),
    ])
  })

  test('labels each row of merged results with the sizes it was measured with', () => {
    const small = { ...resultOf([drained('tusk', 1)]), sizes: { ...fullSizes, tasks: 77 } }
    const merged = mergeResults([
      resultOf([amid('none', 'tusk', 1), amid('future', 'tusk', 1)]),
      small,
    ])

    expect(table(merged)).toContain('| drain 77 no-op tasks, one process |')
    expect(table(merged)).toContain('| drain amid 1,000,000 future tasks /')
  })
})

describe('the table of the peer benchmark', () => {
  test('has a line per row with figures, a dash where a subject has none, and the ratio', () => {
    const result = resultOf([drained('tusk', 21_000), drained('graphile', 42_000)])
    const [head, , rate, cpu, ...rest] = table(result).split('\n')

    expect(head).toContain('| Tusk, defaults | graphile-worker 0.18, tuned | pg-boss 12, tuned |')
    expect(rate).toContain('| 21.0 k | 42.0 k | – | – | 0.50 |')
    expect(cpu).toContain('| 10.0 + 20.0 | 10.0 + 20.0 | – | – | 1.00 |')
    expect(rest).toEqual([])
  })

  test('shows the spread of several rounds and the defaults of a peer', () => {
    const result = resultOf([
      drained('tusk', 500, 400, 900),
      drained('graphile', 2_000),
      drained('graphile-default', 300),
    ])

    expect(table(result, { isWithSpread: true })).toContain(
      '| 500 (400..900) | 2.00 k (defaults: 300) |',
    )
    expect(table(result)).toContain('| 500 | 2.00 k (defaults: 300) |')
  })

  test('says that a subject failed instead of a dash', () => {
    const failed = { ...drained('pg-boss'), failure: 'connection lost' }

    expect(table(resultOf([drained('tusk', 5), failed]))).toContain('| failed |')
  })

  test('writes rates with as many digits as they deserve', () => {
    expect([42_040, 1_234, 222, 5.04].map((rate) => format(rate, 'rate'))).toEqual([
      '42.0 k',
      '1.23 k',
      '222',
      '5.0',
    ])
  })

  test('names every peer that is ahead, and none that is level', () => {
    const result = resultOf([drained('tusk', 100), drained('graphile', 103), drained('plain', 200)])

    expect(losses(result)).toEqual([
      '- **drain 100,000 no-op tasks, one process**: 100 against 200 of plain table.',
    ])
  })
})

describe('the page of the peer benchmark', () => {
  test('replaces what stands between the markers and nothing else', () => {
    const page = 'before\n<!-- begin table -->\nold\n<!-- end table -->\nafter'

    expect(fillSections(page, 'page.md', { table: 'new' })).toBe(
      'before\n<!-- begin table -->\nnew\n<!-- end table -->\nafter',
    )
  })

  test('rejects a page that lacks a section', () => {
    expect(() => fillSections('nothing', 'page.md', { table: 'new' })).toThrow(
      'page.md has no section "table"',
    )
  })

  test('draws bars for both colour schemes, the longest for the greatest figure', () => {
    const drawn = plots(resultOf([drained('tusk', 100), drained('plain', 200)]))
    const svg = drawn.find(({ name }) => name === 'throughput')?.svg ?? ''
    const widths = Array.from(svg.matchAll(/<rect class="[\w-]+".* width="([\d.]+)"/g), ([, w]) =>
      Number(w),
    )

    expect(drawn.map(({ name }) => name)).toEqual(['throughput', 'cost'])
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(widths).toEqual([225, 450])
  })
})

describe('the options of the peer benchmark', () => {
  test('takes sizes, rounds and names', () => {
    const options = parsePeerOptions([
      ...['--quick', '--only', 'drain,idle', '--subjects', 'tusk,plain'],
      ...['--rounds', '2', '--tasks', '77', '--snapshot-seconds', '90', '--seed', '5'],
    ])

    expect(options.workloads.map(({ name }) => name)).toEqual(['drain', 'idle'])
    expect(options.subjects.map(({ name }) => name)).toEqual(['tusk', 'plain'])
    expect(options).toMatchObject({ rounds: 2, seed: 5 })
    expect(options.sizes).toEqual({ ...quickSizes, tasks: 77, snapshotSeconds: 90 })
  })

  test.each([
    [['--only', 'drian'], /unknown workload "drian". There are drain, enqueue-bulk,/],
    [['--subjects', 'sidekiq'], /unknown subject "sidekiq". There are tusk, graphile,/],
    [['--only', ''], '--only needs at least one name'],
    [['--rounds', '0'], '--rounds must be a whole number of at least 1, not "0"'],
    [['--tasks', 'many'], '--tasks must be a whole number of at least 1, not "many"'],
    [['--turbo'], /Unknown option '--turbo'/],
    [['drain'], /Unexpected argument 'drain'/],
  ])('rejects %j with a clear error', (argv, message) => {
    expect(() => parsePeerOptions(argv)).toThrow(message)
  })
})
