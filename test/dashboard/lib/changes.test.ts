import { describe, expect, test } from 'vitest'
import { Changes } from '../../../src/dashboard/lib/changes.ts'

function events(count: number, queue = 'mail') {
  return Array.from({ length: count }, (_, index) => ({
    event: 'complete',
    task: String(index + 1),
    queue,
    at: '2026-11-16T09:00:00Z',
  }))
}

describe('what happened within a moment', () => {
  test('knows the tasks and the queues that were touched', () => {
    const changes = new Changes()

    changes.add(events(3))

    expect(changes.touchesTask('3')).toBe(true)
    expect(changes.touchesTask('4')).toBe(false)
    expect(changes.touchesQueue('mail')).toBe(true)
    expect(changes.touchesQueue('reports')).toBe(false)
    expect(changes.count('complete')).toBe(3)
  })

  test('takes every task for touched once there were too many to remember', () => {
    const changes = new Changes()

    for (let burst = 0; burst < 20; burst++) changes.add(events(5_000))

    expect(changes.touchesTask('999999')).toBe(true)
    expect(changes.count('complete')).toBe(100_000)
    expect(changes.touchesQueue('reports')).toBe(false)
  })

  test('touches everything after a gap', () => {
    const changes = new Changes()

    changes.addEverything()

    expect(changes.touchesTask('1')).toBe(true)
    expect(changes.touchesQueue('any')).toBe(true)
    expect(changes.isKnownAt(Number.MAX_VALUE)).toBe(false)
  })

  test('is not new to a page that loaded after what was missed', () => {
    const changes = new Changes()

    changes.addEverything(1_000)
    expect(changes.isKnownAt(999)).toBe(false)
    expect(changes.isKnownAt(1_000)).toBe(true)

    changes.add(events(1))
    expect(changes.isKnownAt(1_000)).toBe(false)
  })
})
