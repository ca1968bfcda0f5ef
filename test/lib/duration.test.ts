import { describe, expect } from 'vitest'
import { toInterval, toMilliseconds, toTimerMs } from '../../src/lib/duration.ts'
import { test } from '../support/engine.ts'

const texts = [
  ...[
    '5 minutes',
    '1 minute',
    '90',
    '1.5',
    '.5 s',
    '250ms',
    '250 milliseconds',
    '2 us',
    '1h30m',
    '1h 30m',
  ],
  ...['1 day', '3 d', '2 weeks', '1 w 1 d', '1 month', '2 mons', '1 year', '1 yr 2 mons 3 days'],
  ...['00:05:00', '1:30', '100:00:00.25', '-00:00:30', '1 day 02:30', '3 days 04:05:06.789'],
  ...[
    'PT5M',
    'P1DT2H30M',
    'P1W',
    'PT0.5S',
    'P1Y2M3D',
    'PT36H',
    '1 hour ago',
    '@ 2 minutes',
    '-5 minutes',
  ],
  ...['  7   seconds ', '1 hour -15 minutes', '1 Hour 2 MINUTES', '12 hrs', '4 secs', '6 mins'],
]

const wrong = [
  '',
  'soon',
  '5 parsecs',
  'p1d',

  '5 minutes later',
  '1:2:3:4',
  'minutes',
  '5,5 s',
  '1 2 3',
]

describe('a duration as text', () => {
  test('means in this process what it means to Postgres', async ({ engine }) => {
    for (const text of texts) {
      const ms = await engine.value<number>(
        `select (extract(epoch from $1::interval) * 1000)::float8`,
        text,
      )
      expect(toMilliseconds('delay', text), text).toBeCloseTo(ms, 3)
    }
  })

  test('is refused in this process where Postgres refuses it', async ({ engine }) => {
    for (const text of wrong) {
      const asked = engine.value('select $1::interval', text)
      await expect(asked, JSON.stringify(text)).rejects.toThrow()
      expect(() => toMilliseconds('delay', text), text).toThrow(
        `delay cannot be ${JSON.stringify(text)}`,
      )
    }
  })
})

describe('a duration', () => {
  test('as a number counts milliseconds', () => {
    expect(toMilliseconds('delay', 1_500)).toBe(1_500)
    expect(toInterval('delay', 1_500)).toBe('1500 milliseconds')
    expect(toInterval('delay', '5 minutes')).toBe('5 minutes')
    expect(toInterval('delay', undefined)).toBeUndefined()
  })

  test('of any other kind is refused, and says what to give', () => {
    for (const given of [Number.NaN, {}, true, [5]] as never[]) {
      expect(() => toMilliseconds('delay', given)).toThrow('delay cannot be')
      expect(() => toInterval('delay', given)).toThrow('delay cannot be')
    }
    expect(() => toInterval('delay', Number.POSITIVE_INFINITY)).toThrow('delay cannot be Infinity')
    expect(() => toTimerMs('leaseMs', '100 ms', 500)).toThrow('leaseMs cannot be 100 ms')
    expect(() => toTimerMs('leaseMs', '1 year', 500)).toThrow('leaseMs cannot be 1 year')
  })
})
