import { describe, expect, test } from 'vitest'
import { changesOf, type Setting } from '../../../src/dashboard/lib/settings.ts'

const settings: readonly Setting[] = [
  { name: 'max_running', label: 'Limit', kind: 'number' },
  { name: 'keep_done', label: 'Keep', kind: 'text' },
  { name: 'is_fair', label: 'Fair', kind: 'flag' },
  { name: 'backoff', label: 'Backoff', kind: 'json' },
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

  test('leaves to the server to say what is wrong with JSON that is none', () => {
    expect(changes({ backoff: '{kind' })).toEqual({ backoff: '{kind' })
  })
})
