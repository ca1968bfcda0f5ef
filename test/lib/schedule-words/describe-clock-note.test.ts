import { expect, test } from 'vitest'
import { describeClockNote } from '../../../src/lib/schedule-words/describe-clock-note.ts'

test.for([
  ['Sun 2027-03-28 03:00:00 +02:00', 'moved', '02:30 does not exist: moved to 03:00'],
  ['Sun 2026-10-25 02:30:00 +02:00', 'first_of_two', 'the clocks go back: the first of two 02:30'],
  [
    'Sun 2026-10-25 02:30:00 +01:00',
    'second_of_two',
    'the clocks go back: the second of two 02:30',
  ],
] as const)('describes a change of the clocks at %s: %s', ([local, note, said]) => {
  expect(describeClockNote({ local, note, meant: '02:30' })).toBe(said)
})

test('describes nothing when the clocks do not change', () => {
  const local = 'Mon 2026-10-26 02:30:00 +01:00'

  expect(describeClockNote({ local, note: null, meant: null })).toBeNull()
})
