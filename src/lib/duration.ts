import { TuskError } from './errors.ts'

/**
 * A duration: a number of milliseconds, or a text that Postgres can read, such as `'5 minutes'`, `'1h 30m'`,
 * `'00:05:00'` or `'PT5M'`.
 */
export type Duration = string | number

/** The longest time that a timer can wait. Longer ones fire at once. */
export const longestTimerMs = 2_147_483_647

/** A duration for the database, which parses texts itself. undefined and null pass unchanged. */
export function toInterval(name: string, given: Duration | null | undefined): string | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given === 'string') return given
  if (typeof given === 'number' && Number.isFinite(given)) return `${given} milliseconds`
  throw unreadable(name, given)
}

/** A duration in milliseconds, for timers in this process. */
export function toMilliseconds(name: string, given: Duration): number {
  if (typeof given === 'number' && !Number.isNaN(given)) return given
  const ms = typeof given === 'string' ? parse(given) : undefined
  if (ms === undefined) throw unreadable(name, given)
  return ms
}

/** The same, rejected if it is shorter than `least` or too long for a timer. */
export function toTimerMs(name: string, given: Duration, least = 0): number {
  const ms = toMilliseconds(name, given)
  if (ms >= least && ms <= longestTimerMs) return ms
  throw new TuskError('invalid_argument', `${name} cannot be ${given}`, {
    hint: `Give a duration from ${least} to ${longestTimerMs} milliseconds.`,
  })
}

function unreadable(name: string, given: unknown): TuskError {
  const shown = typeof given === 'number' ? String(given) : JSON.stringify(given)
  return new TuskError('invalid_argument', `${name} cannot be ${shown}`, {
    hint: "Give a number of milliseconds, or a text such as '5 minutes', '00:05:00' or 'PT5M'.",
  })
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
/** The same length that Postgres uses when it converts an interval to seconds. */
const month = 30 * day
const year = 365.25 * day

/** The units of Postgres, in milliseconds. */
const units: ReadonlyMap<string, number> = new Map(
  (
    [
      [0.001, 'us usec usecs usecond useconds microsecond microseconds'],
      [1, 'ms msec msecs msecond mseconds millisecond milliseconds'],
      [second, 's sec secs second seconds'],
      [minute, 'm min mins minute minutes'],
      [hour, 'h hr hrs hour hours'],
      [day, 'd day days'],
      [7 * day, 'w week weeks'],
      [month, 'mon mons month months'],
      [year, 'y yr yrs year years'],
    ] as const
  ).flatMap(([ms, names]) => names.split(' ').map((name): [string, number] => [name, ms])),
)

const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)`
const clock = String.raw`[+-]?\d+:\d{1,2}(?::\d{1,2}(?:\.\d+)?)?`
const parts = new RegExp(`\\s*(?:(${clock})|(${number})\\s*([a-z]+)?)\\s*`, 'y')

/** The value that Postgres gives to a text, in milliseconds. Undefined if the text is not a duration. */
function parse(text: string): number | undefined {
  // Postgres accepts ISO 8601 only in capital letters.
  if (/^\s*P/.test(text)) return parseIso(text.trim())
  const given = text.trim().toLowerCase()
  const isAgo = /\sago$/.test(given)
  const body = given.replace(/^@\s*/, '').replace(/\s*\bago$/, '')
  if (body === '') return undefined
  let sum = 0
  parts.lastIndex = 0
  while (parts.lastIndex < body.length) {
    const found = parts.exec(body)
    if (found === null) return undefined
    const [, time, count, unit] = found
    const isLast = parts.lastIndex >= body.length
    const ms = time === undefined ? counted(count, unit, isLast) : clockMs(time)
    if (ms === undefined) return undefined
    sum += ms
  }
  return isAgo ? -sum : sum
}

/** A number without a unit, allowed at the end of a text, counts seconds. */
function counted(
  count: string | undefined,
  unit: string | undefined,
  isLast: boolean,
): number | undefined {
  const each = unit === undefined ? (isLast ? second : undefined) : units.get(unit)
  return each === undefined ? undefined : Number(count) * each
}

function clockMs(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number)
  return (hours * hour + minutes * minute + seconds * second) * (text.startsWith('-') ? -1 : 1)
}

/** ISO 8601 with designators: `P1DT2H30M`. */
const iso = new RegExp(
  `^P(?:(${number})Y)?(?:(${number})M)?(?:(${number})W)?(?:(${number})D)?` +
    `(?:T(?:(${number})H)?(?:(${number})M)?(?:(${number})S)?)?$`,
)

function parseIso(text: string): number | undefined {
  const found = iso.exec(text)
  if (found === null || /[PT]$/.test(text)) return undefined
  const each = [year, month, 7 * day, day, hour, minute, second]
  return each.reduce((sum, ms, at) => sum + Number(found[at + 1] ?? 0) * ms, 0)
}
