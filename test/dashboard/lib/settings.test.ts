import { describe, expect, test } from 'vitest'
import { changesOf, inWordsOf, type Setting } from '../../../src/dashboard/lib/settings.ts'

const settings: readonly Setting[] = [
  { name: 'max_running', label: 'Limit', kind: 'number' },
  { name: 'keep_done', label: 'Keep', kind: 'text' },
  { name: 'is_fair', label: 'Fair', kind: 'flag' },
  { name: 'backoff', label: 'Backoff', kind: 'backoff' },
]

const current = { max_running: 5, keep_done: '7 days', is_fair: false, backoff: null }

function changes(given: Readonly<Record<string, string>>) {
  const unchanged: Readonly<Record<string, string>> = {
    max_running: '5',
    keep_done: '7 days',
    is_fair: 'false',
    backoff: '',
  }
  return changesOf(settings, current, (name) => given[name] ?? unchanged[name] ?? '')
}

describe('a form of settings', () => {
  test('sends nothing when nothing differs', () => {
    expect(changes({ keep_done: ' 7 days ' })).toEqual({})
  })

  test('sends what differs, each in the type of its setting', () => {
    expect(changes({ max_running: '9', is_fair: 'true', backoff: '{"kind": "none"}' })).toEqual({
      max_running: 9,
      is_fair: true,
      backoff: { kind: 'none' },
    })
  })

  test('puts the default back with null where a box was emptied', () => {
    expect(changes({ max_running: '', keep_done: '' })).toEqual({
      max_running: null,
      keep_done: null,
    })
  })

  test('shows spans of time in words, and takes those for what they are', () => {
    const textIn = (name: string) => (name === 'keep_done' ? '2 hours' : '')

    expect(changesOf(settings, { keep_done: '02:00:00' }, textIn)).toEqual({})
  })

  test('leaves to the server to say what is wrong with JSON that is none', () => {
    expect(changes({ backoff: '{kind' })).toEqual({ backoff: '{kind' })
  })
})

describe('a setting', () => {
  test.for([
    [262_144, '262,144'],
    ['1 day 02:00:00', '1 day 2 hours'],
    [{ cap: '1 hour', kind: 'exponential' }, 'exponential, cap 1 hour'],
    [null, ''],
    [false, 'false'],
  ] as const)('is said as people would: %j', ([value, words]) => {
    expect(inWordsOf(value)).toBe(words)
  })
})
