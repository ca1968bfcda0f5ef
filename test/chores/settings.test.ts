import { afterEach, describe, expect, test } from 'vitest'
import { defineChore } from '../../src/chores/chore.ts'
import { type ChoreOptions, resolveChoreSettings } from '../../src/chores/settings.ts'
import { isBehindPooler } from '../../src/chores/strategies/pooler.ts'

const chore = (name: string, strategy?: 'all') =>
  defineChore({ name, everyMs: 1_000, run: () => {}, ...(strategy ? { strategy } : {}) })

const strategies = (options: boolean | ChoreOptions | undefined) => {
  const settled = resolveChoreSettings(options, 15_000)
  return ['rescue', 'sweep'].map((name) => settled?.strategyOf(chore(name)))
}

describe('the strategy of a chore', () => {
  const before = process.env['NODE_ENV']
  afterEach(() => {
    process.env['NODE_ENV'] = before
  })

  test('follows the environment', () => {
    expect(strategies({ environment: 'development' })).toEqual(['all', 'all'])
    expect(strategies({ environment: 'production' })).toEqual(['all', 'lease'])
    expect(strategies({ environment: 'fleet' })).toEqual(['skip-locked', 'lease'])
    expect(resolveChoreSettings({ environment: 'fleet' }, 15_000)?.rotateMs).toBe(60_000)
    expect(resolveChoreSettings(true, 15_000)?.rotateMs).toBeNull()
  })

  test('is that of development only when the process says so', () => {
    process.env['NODE_ENV'] = 'development'
    expect(strategies(undefined)).toEqual(['all', 'all'])
    process.env['NODE_ENV'] = 'anything'
    expect(strategies(true)).toEqual(['all', 'lease'])
  })

  test('is the one given for all, for itself, or by name, each stronger than the last', () => {
    const options = { strategy: 'advisory', strategies: { sweep: 'skip-locked' } } as const
    const settled = resolveChoreSettings(options, 15_000)

    expect(settled?.strategyOf(chore('mop'))).toBe('advisory')
    expect(settled?.strategyOf(chore('mop', 'all'))).toBe('all')
    expect(settled?.strategyOf(chore('sweep', 'all'))).toBe('skip-locked')
  })
})

describe('the times of leadership', () => {
  test('are 10 s and 2 s, and shorter where tasks are claimed for less', () => {
    expect(resolveChoreSettings(true, 15_000)).toMatchObject({ ttlMs: 10_000, renewMs: 2_000 })
    expect(resolveChoreSettings(true, 600_000)).toMatchObject({ ttlMs: 10_000 })
    expect(resolveChoreSettings(true, 3_000)).toMatchObject({ ttlMs: 2_000, renewMs: 400 })
  })

  test.for<[string, ChoreOptions]>([
    ['ttlMs cannot be 1', { ttlMs: 1 }],
    ['ttlMs cannot be 86400001', { ttlMs: 86_400_001 }],
    ['renewMs cannot be 6000', { renewMs: 6_000 }],
    ['rotateMs cannot be 0', { rotateMs: 0 }],
    ['there is no strategy magic', { strategy: 'magic' as 'all' }],
    ['there is no strategy magic', { strategies: { sweep: 'magic' as 'all' } }],
    ['there is no environment moon', { environment: 'moon' as 'fleet' }],
  ])('are refused when %s', ([message, options]) => {
    expect(() => resolveChoreSettings(options, 15_000)).toThrow(message)
  })
})

describe('defineChore', () => {
  test.for<[string, object]>([
    ['a chore needs a name', { name: '' }],
    ['everyMs cannot be 0', { everyMs: 0 }],
    ['everyMs cannot be NaN', { everyMs: Number.NaN }],
    ['timeoutMs cannot be -1', { timeoutMs: -1 }],
    ['batch cannot be Infinity', { batch: Number.POSITIVE_INFINITY }],
    ['has nothing to run', { run: undefined }],
  ])('refuses it when %s', ([message, fault]) => {
    const definition = { name: 'tidy', everyMs: 1, run: () => {}, ...fault }
    expect(() => defineChore(definition)).toThrow(message)
  })
})

describe('a pooler', () => {
  const session = (pids: number[], processID?: number) => ({
    processID,
    query: async <Row extends object>() => ({
      rows: [{ pid: pids.shift() }] as Row[],
      rowCount: 1,
    }),
  })

  test('is known by transactions in different processes', async () => {
    expect(await isBehindPooler(session([7, 8]))).toBe(true)
    expect(await isBehindPooler(session([7, 7]))).toBe(false)
  })

  test('is known by a process that it made up', async () => {
    expect(await isBehindPooler(session([7, 7], 1))).toBe(true)
    expect(await isBehindPooler(session([7, 7], 7))).toBe(false)
  })
})
