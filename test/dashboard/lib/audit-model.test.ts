import { describe, expect, test } from 'vitest'
import { differences, pathOfObject } from '../../../src/dashboard/pages/audit/audit-model.ts'

describe('an entry of the audit', () => {
  test('tells what differs, name by name', () => {
    expect(differences({ a: 1, b: [1], c: null }, { a: 2, b: [1], d: 'x' })).toEqual([
      { name: 'a', before: 1, after: 2 },
      { name: 'c', before: null, after: undefined },
      { name: 'd', before: undefined, after: 'x' },
    ])
  })

  test('has no differences where there was nothing before', () => {
    expect(differences(null, { a: 1 })).toBeNull()
  })

  test.each([
    ['task 42', '/tasks/42'],
    ['queue a/b', '/queues/a%2Fb'],
    ['schedule nightly report', '/schedules/nightly%20report'],
    ['queue *', null],
    ['token 7', null],
    ['tasks', null],
  ])('of %s leads to %s', (object, path) => {
    expect(pathOfObject(object)).toBe(path)
  })
})
