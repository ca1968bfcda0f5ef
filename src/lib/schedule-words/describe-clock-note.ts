/**
 * How a change of the clocks affects a planned time. If the clocks skip it, it is `moved` to the end of the gap. If
 * they show it twice, this is the `first_of_two` or the `second_of_two`.
 */
export type ClockNote = 'moved' | 'first_of_two' | 'second_of_two'

/** A planned time as preview_schedule() returns it. */
interface NotedTime {
  /** Such as `Sun 2026-10-25 02:30:00 +02:00`. */
  readonly local: string
  readonly note: ClockNote | null
  readonly meant: string | null
}

/**
 * How a change of the clocks affects a planned time, as an English sentence. Null if it does not.
 *
 * @example describeClockNote(time) // '02:30 does not exist: moved to 03:00'
 */
export function describeClockNote({ local, note, meant }: NotedTime): string | null {
  if (note === null) return null
  if (note === 'moved')
    return `${meant} does not exist: moved to ${local.split(' ')[2]?.slice(0, 5)}`
  return `the clocks go back: the ${note === 'first_of_two' ? 'first' : 'second'} of two ${meant}`
}
