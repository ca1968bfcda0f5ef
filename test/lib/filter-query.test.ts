import { describe, expect, test } from 'vitest'
import {
  type FilterOfQuery,
  filterQualifiers,
  formatFilterQuery,
  parseFilterQuery,
} from '../../src/lib/filter-query.ts'

const now = new Date('2026-11-16T12:00:00Z')

/** Of the day, where this runs. */
const midnight = new Date(now).setHours(0, 0, 0, 0)

describe('a query for tasks', () => {
  test.for<[string, FilterOfQuery]>([
    ['', {}],
    ['  ', {}],
    ['queue:mail', { queue: 'mail' }],
    ['queue:mail state:failed', { queue: 'mail', states: ['failed'] }],
    ['state:failed,cancelled state:done', { states: ['failed', 'cancelled', 'done'] }],
    ['id:1,2 id:3', { ids: ['1', '2', '3'] }],
    ['by:ada kind:sql', { submitted_by: 'ada', kind: 'sql' }],
    ['group:"customer 42"', { group: 'customer 42' }],
    [String.raw`key:"say \"hi\""`, { key: 'say "hi"' }],
    ['key:order:7', { key: 'order:7' }],
    ['QUEUE:Mail', { queue: 'Mail' }],
    ['no such host', { text: 'no such host' }],
    ['no "such  host" queue:mail', { queue: 'mail', text: 'no such  host' }],
    ['"queue:mail"', { text: 'queue:mail' }],
    ['12:30', { text: '12:30' }],
    ['"not closed', { text: 'not closed' }],
    [
      'after:2h before:30m',
      { created_after: '2026-11-16T10:00:00.000Z', created_before: '2026-11-16T11:30:00.000Z' },
    ],
    ['after:2026-11-16', { created_after: '2026-11-16T00:00:00.000Z' }],
    ['after:2028-02-29', { created_after: '2028-02-29T00:00:00.000Z' }],
    ['before:2026-11-16T09:00:00+01:00', { created_before: '2026-11-16T08:00:00.000Z' }],
    ['run_before:"in 2 hours"', { run_before: '2026-11-16T14:00:00.000Z' }],
    ['run_after:"1 hour ago"', { run_after: '2026-11-16T11:00:00.000Z' }],
    [
      'finished_after:"90 minutes" finished_before:1m',
      { finished_after: '2026-11-16T10:30:00.000Z', finished_before: '2026-11-16T11:59:00.000Z' },
    ],
    ['after:today', { created_after: new Date(midnight).toISOString() }],
    ['parent:42', { parent: '42' }],
    ['error:3f2a code:42P01 reason:timeout', { error: '3f2a', code: '42P01', reason: 'timeout' }],
    ['host:a worker:b tag:c handler:d', { host: 'a', worker: 'b', tag: 'c', handler: 'd' }],
  ])('%j is read', ([query, filter]) => {
    expect(parseFilterQuery(query, now)).toEqual(filter)
  })

  test.for<[string, string, RegExp]>([
    ['queu:mail', 'unknown filter queu:', /Did you mean queue:\?.*"queu:mail"/],
    ['https://a.example', 'unknown filter https:', /There are queue, .*quote it/],
    ['__proto__:1', 'unknown filter __proto__:', /There are/],
    [
      'state:faild',
      'there is no state faild',
      /Did you mean failed\? It is one of waiting, scheduled/,
    ],
    ['state:failed,', 'state: has no value', /without a blank/],
    ['queue: mail', 'queue: has no value', /without a blank/],
    ['queue:a queue:b', 'queue: is given twice', /must match everything/],
    ['kind:job', 'there is no kind job', /one of handler, sql, document/],
    ['id:x', 'x is not the id of a task', /whole number/],
    ['before:soon', 'soon is not a time', /2h/],
    ['before:2026-11-16T09:00', '2026-11-16T09:00 is not a time', /\+01:00/],
    ['before:"1 month"', '1 month is not a time', /7 days ago/],
    ['parent:x', 'x is not the id of a task', /whole number/],
    ['before:2026-13-40', '2026-13-40 is not a time', /2h/],
    ['before:2026-02-30', '2026-02-30 is not a time', /2h/],
    ['before:2026-11-31T09:00:00+01:00', '2026-11-31T09:00:00+01:00 is not a time', /2h/],
    ['before:2026-11-16T25:00:00Z', '2026-11-16T25:00:00Z is not a time', /2h/],
  ])('%j is refused', ([query, message, hint]) => {
    expect(() => parseFilterQuery(query, now)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message,
        hint: expect.stringMatching(hint),
      }),
    )
  })

  test.for<FilterOfQuery>([
    {},
    { queue: 'a b', key: 'say "hi" \\ there', states: ['failed', 'done'], ids: ['1', '2'] },
    { text: 'queue:mail' },
    { text: 'two words' },
    { text: ' a  "b" ' },
    { tag: 'a,b', created_after: '2026-11-16T00:00:00.000Z', text: 'back\\slash' },
  ])('%j is written so that it is read again', (filter) => {
    expect(parseFilterQuery(formatFilterQuery(filter), now)).toEqual(filter)
  })

  test('has one qualifier per name of a filter', () => {
    const names = Object.values(filterQualifiers).map(({ filter }) => filter)

    expect(new Set(names).size).toBe(names.length)
  })
})
