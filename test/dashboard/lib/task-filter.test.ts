import { describe, expect, test } from 'vitest'
import {
  filterOf,
  queryOf,
  saidIn,
  withoutName,
  withWords,
} from '../../../src/dashboard/lib/task-filter.ts'

const now = new Date('2026-11-16T12:00:00Z')

describe('the query in the address', () => {
  test('is what the API takes', () => {
    expect(filterOf('state:failed,done queue:mail after:1h no host', now)).toEqual({
      state: ['failed', 'done'],
      queue: 'mail',
      created_after: '2026-11-16T11:00:00.000Z',
      text: 'no host',
    })
  })

  test('may be given by names, as links do', () => {
    const address = new URLSearchParams('state=failed&state=done&tag=a+b&cursor=9&q=no+host')

    expect(queryOf(address)).toBe('state:failed state:done tag:"a b" no host')
  })
})

describe('a query in the filter bar', () => {
  test('lets new words take the place of old ones of their name', () => {
    expect(withWords('queue:mail state:failed state:done no host', 'state:ready host')).toBe(
      'queue:mail state:ready host',
    )
  })

  test('loses a name, or its text', () => {
    expect(withoutName('queue:mail "no host" id:1 id:2', 'id')).toBe('queue:mail "no host"')
    expect(withoutName('queue:mail "no host" id:1', undefined)).toBe('queue:mail id:1')
  })

  test('is shown name by name', () => {
    expect([...saidIn('no queue:mail host id:1 id:2')]).toEqual([
      [undefined, 'no host'],
      ['queue', 'mail'],
      ['id', '1 2'],
    ])
  })
})
