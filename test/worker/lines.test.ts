import { describe, expect, test } from 'vitest'
import type { HeldTask } from '../../src/worker/leases/held-task.ts'
import { Lines } from '../../src/worker/run/lines.ts'
import { until } from '../support/until.ts'

const task = (id: string, claim = '1', group = 'g', aborted?: unknown) =>
  ({ id, row: { id, claim, groups: [group] }, aborted }) as unknown as HeldTask

const lines = (onStale: (tasks: readonly HeldTask[]) => void = () => {}, patienceMs = 3_600_000) =>
  new Lines({ patienceMs, onStale })

describe('the tasks of a line', () => {
  test('follow one another, each line by itself', () => {
    const waiting = lines()
    for (const each of [task('2'), task('3'), task('4', '1', 'h'), task('5', '2')])
      waiting.add(each)

    expect(waiting.next(task('1'))?.id).toBe('2')
    expect(waiting.next(task('9', '1', 'h'))?.id).toBe('4')
    expect(waiting.next(task('2'))?.id).toBe('3')
    expect(waiting.next(task('3'))).toBeUndefined()
    expect(waiting.size).toBe(1)
    expect(waiting.takeWhere(() => true)).toHaveLength(1)
  })

  test('pass over what was lost', () => {
    const waiting = lines()
    for (const each of [task('2', '1', 'g', 'lost'), task('3')]) waiting.add(each)

    expect(waiting.next(task('1'))?.id).toBe('3')
    expect(waiting.size).toBe(0)
  })

  test('are given back when they do not move', async () => {
    const stale: string[] = []
    const waiting = lines((tasks) => stale.push(...tasks.map(({ id }) => id)), 1)
    waiting.add(task('2'))
    waiting.add(task('3'))

    await until(() => Promise.resolve(stale.length > 0))
    expect(stale).toEqual(['2', '3'])
    expect(waiting.next(task('1'))).toBeUndefined()
    expect(waiting.size).toBe(0)
  })
})
