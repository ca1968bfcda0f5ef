import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../../src/dashboard/lib/step-rows.ts'
import type { Attempt, Step } from '../../../src/dashboard/model.ts'

const start = Date.parse('2026-11-19T10:00:00Z')

function at(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString()
}

function stepOf(name: string, from: number | null, to: number | null, state = 'done'): Step {
  const times = {
    started_at: from === null ? null : at(from),
    finished_at: to === null ? null : at(to),
  }
  return { name, state, kind: 'step', attempt: 1, ...times } as Step
}

function attemptOf(attempt: number, from: number, to: number): Attempt {
  return { attempt, started_at: at(from), ended_at: at(to) } as Attempt
}

const now = start + 10_000

describe('the rows of the timeline', () => {
  test('are steps and failed attempts in the order in which they began, on one scale', () => {
    const rows = rowsOf(
      [stepOf('bill', 0, 1), stepOf('mail', 8, 10)],
      [attemptOf(1, 1, 6)],
      now,
      100,
    )

    expect(rows.map(({ step, attempt }) => step?.name ?? attempt?.attempt)).toEqual([
      'bill',
      1,
      'mail',
    ])
    expect(rows.map(({ left, width }) => [left, width])).toEqual([
      [0, 10],
      [10, 50],
      [80, 20],
    ])
  })

  test('go on until now while a step is open or comes again', () => {
    const rows = rowsOf(
      [stepOf('wait', 0, null, 'open'), stepOf('mail', 5, 6, 'retrying')],
      [],
      now,
      100,
    )

    expect(rows.map(({ from, to }) => [from - start, to - start])).toEqual([
      [0, 10_000],
      [5_000, 10_000],
    ])
  })

  test('are the latest of many', () => {
    const steps = Array.from({ length: 50 }, (_, index) => stepOf(`item ${index}`, index, index))

    const rows = rowsOf(steps, [], now, 3)

    expect(rows.map(({ step }) => step?.name)).toEqual(['item 47', 'item 48', 'item 49'])
    expect(rows.at(-1)).toMatchObject({ left: 100, width: 0 })
  })

  test('have a place even where all began at one time', () => {
    expect(rowsOf([stepOf('a', null, 3), stepOf('b', 3, 3)], [], now, 9)).toMatchObject([
      { left: 0, width: 0 },
      { left: 0, width: 0 },
    ])
    expect(rowsOf([], [], now, 9)).toEqual([])
  })
})
