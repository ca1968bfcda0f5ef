import { describe, expect, test } from 'vitest'
import { type ChoreContext, defineChore } from '../../src/chores/chore.ts'
import { openOnce } from '../../src/chores/open-context.ts'
import type { ChoreTools, Grant } from '../../src/chores/strategies/strategy.ts'
import { TuskError } from '../../src/lib/errors.ts'

const answer = { processed: 3 }

interface Given {
  readonly trustedForMs?: number
  readonly timeoutMs?: number
  /** What running it as one statement comes to; by default it runs. */
  readonly outcome?: () => Promise<undefined>
  readonly signal?: AbortSignal
}

/** Runs one round; tells in which way, and whether leadership came into doubt. */
function open({ trustedForMs = 8_000, timeoutMs = 30_000, outcome, signal }: Given = {}) {
  const ways: string[] = []
  const db = { query: () => Promise.reject(new Error('not used')) }
  const tools = {
    onceMs: 5_000,
    once: (_: AbortSignal, work: (on: typeof db) => Promise<unknown>): Promise<unknown> => {
      ways.push('once')
      return outcome === undefined ? work(db) : outcome()
    },
  } as unknown as ChoreTools
  const grant = {
    trustedForMs: () => trustedForMs,
    doubt: () => ways.push('doubt'),
  } as unknown as Grant
  const context = {
    signal: signal ?? new AbortController().signal,
    transaction: (work: (on: typeof db) => Promise<unknown>) => {
      ways.push('transaction')
      return work(db)
    },
  } as unknown as ChoreContext
  const chore = defineChore({ name: 'tidy', everyMs: 1_000, timeoutMs, run: () => {} })
  return { ways, run: () => openOnce(tools, chore, grant, context)(async () => answer) }
}

const failing = (error: object): Given => ({ outcome: () => Promise.reject(error) })

const notFree: Given = { outcome: async () => undefined }

describe('a round of a chore', () => {
  test('is one statement while leadership lasts longer than that', async () => {
    const { ways, run } = open()

    expect(await run()).toBe(answer)
    expect(ways).toEqual(['once'])
  })

  test.for([
    ['leadership may pass on before it ends', { trustedForMs: 4_999 }, ['transaction']],
    ['the chore has less time', { timeoutMs: 4_999 }, ['transaction']],
    ['there is no connection for it', notFree, ['once', 'transaction']],
    ['it needs longer', failing({ code: '57014' }), ['once', 'transaction']],
  ] as const)('is a transaction where %s', async ([, given, expected]) => {
    const { ways, run } = open(given)

    expect(await run()).toBe(answer)
    expect(ways).toEqual(expected)
  })

  test('brings leadership into doubt when the database says that another leads', async () => {
    const { ways, run } = open(failing(new TuskError('leadership_lost', 'another leads')))

    await expect(run()).rejects.toMatchObject({ code: 'leadership_lost' })
    expect(ways).toEqual(['once', 'doubt'])
  })

  test('does not begin when it was asked to stop', async () => {
    const { ways, run } = open({ signal: AbortSignal.abort(new Error('stop')) })

    await expect(run()).rejects.toThrow('stop')
    expect(ways).toEqual([])
  })

  test('is not repeated when it was cut because it was asked to stop', async () => {
    const controller = new AbortController()
    const outcome = () => {
      controller.abort()
      return Promise.reject(Object.assign(new Error('cancelled'), { code: '57014' }))
    }
    const { ways, run } = open({ outcome, signal: controller.signal })

    await expect(run()).rejects.toThrow('cancelled')
    expect(ways).toEqual(['once'])
  })
})
