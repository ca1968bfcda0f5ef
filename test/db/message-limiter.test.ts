import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MessageLimiter } from '../../src/db/message-limiter.ts'
import { range } from '../support/crowd.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Hears messages, and keeps those that are passed on. */
function limit() {
  const passed: string[] = []
  return { passed, limiter: new MessageLimiter((words) => passed.push(words)) }
}

describe('a channel on which any login may speak', () => {
  test('passes the same words on at once only a few times, and the rest as one', () => {
    const { passed, limiter } = limit()

    for (const _ of range(1_000)) limiter.hear('drain')
    expect(passed).toHaveLength(20)
    vi.advanceTimersByTime(100)

    expect(passed).toHaveLength(21)
  })

  test('passes them on at once again when a second is over', () => {
    const { passed, limiter } = limit()
    for (const _ of range(1_000)) limiter.hear('drain')
    vi.advanceTimersByTime(1_000)
    passed.length = 0

    limiter.hear('drain')

    expect(passed).toEqual(['drain'])
  })

  test('does not hold up other words', () => {
    const { passed, limiter } = limit()
    for (const _ of range(1_000)) limiter.hear('drain')

    limiter.hear('cancel')

    expect(passed.at(-1)).toBe('cancel')
  })

  test('passes on no more than 10,000 different words in a second', () => {
    const { passed, limiter } = limit()

    for (const n of range(20_000)) limiter.hear(String(n))
    expect(passed).toHaveLength(10_000)
    vi.advanceTimersByTime(1_000)
    limiter.hear('cancel')

    expect(passed.slice(10_000)).toEqual(['cancel'])
  })

  test('says nothing that it held back when it is closed', () => {
    const { passed, limiter } = limit()
    for (const _ of range(1_000)) limiter.hear('drain')

    limiter.close()
    vi.advanceTimersByTime(1_000)

    expect(passed).toHaveLength(20)
  })
})
