import { describe, expect, test } from 'vitest'
import { phasesOf } from '../../../src/dashboard/lib/timeline.ts'
import type { Attempt, Task } from '../../../src/dashboard/model.ts'

const start = Date.parse('2026-11-16T09:00:00Z')

function at(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString()
}

function task(given: Partial<Task>): Task {
  const plain = {
    created_at: at(0),
    run_at: at(0),
    started_at: null,
    finished_at: null,
    claimed_at: null,
  }
  return { ...plain, attempt: 0, ...given } as Task
}

function failed(attempt: number, from: number, to: number): Attempt {
  return {
    attempt,
    iteration: 0,
    reason: 'error',
    worker: null,
    started_at: at(from),
    ended_at: at(to),
    error: null,
    payload: null,
  }
}

function words(given: Task, attempts: Attempt[] = [], now = start): string[] {
  return phasesOf(given, attempts, now).map(
    ({ what, tone, from, to }) => `${what} ${tone} ${(from - start) / 1000}-${(to - start) / 1000}`,
  )
}

describe('the timeline of a task', () => {
  test('has its wait and its run', () => {
    const done = task({ state: 'done', attempt: 1, started_at: at(2), finished_at: at(5) })

    expect(words(done)).toEqual(['waited ready 0-2', 'ran done 2-5'])
  })

  test('tells waiting for its time from waiting for its turn', () => {
    const waiting = task({ state: 'ready', run_at: at(60) })

    expect(words(waiting, [], start + 90_000)).toEqual([
      'scheduled scheduled 0-60',
      'waited ready 60-90',
    ])
  })

  test('has every attempt and the backoff between them', () => {
    const running = task({ state: 'running', attempt: 3, run_at: at(20), started_at: at(21) })

    expect(words(running, [failed(1, 1, 2), failed(2, 10, 11)], start + 30_000)).toEqual([
      'waited ready 0-1',
      'ran failed 1-2',
      'backed off retrying 2-10',
      'ran failed 10-11',
      'backed off retrying 11-21',
      'ran running 21-30',
    ])
  })

  test('waits, and does not back off, while a durable task waits', () => {
    const waiting = task({ state: 'waiting', run_at: at(600) })

    expect(words(waiting, [failed(1, 1, 2)], start + 30_000)).toEqual([
      'waited ready 0-1',
      'ran failed 1-2',
      'waited waiting 2-30',
    ])
  })

  test('ends with the last attempt where that was the end', () => {
    const given = { state: 'failed', attempt: 1, started_at: at(1), finished_at: at(2.1) } as const

    expect(words(task(given), [failed(1, 1, 2)])).toEqual(['waited ready 0-1', 'ran failed 1-2'])
  })
})
