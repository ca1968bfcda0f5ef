import type { CronField, CronSets } from './cron.ts'

/** The lowest number of each field, and how many there are. */
const ranges: Readonly<Record<CronField, readonly [low: number, size: number]>> = {
  seconds: [0, 60],
  minutes: [0, 60],
  hours: [0, 24],
  dates: [1, 31],
  months: [1, 12],
  weekdays: [0, 7],
}

const monthNames = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const weekdayNames = 'SUN MON TUE WED THU FRI SAT'.split(' ')

/** Adds one item of a field's list: `5`, `1-5`, `0/15`, `MON`, `L`, `15W`, `FRI#2`. Throws if the item is invalid. */
export function addItem(sets: CronSets, field: CronField, item: string): void {
  if (field === 'dates' && /[LW]/.test(item)) addDate(sets, item)
  else if (field === 'weekdays' && /#|.L$/.test(item)) addNth(sets, item)
  else addRange(sets, field, item)
}

/** `L`, `L-3`, `15W`, `LW` */
function addDate({ beforeLast, nearest }: CronSets, item: string): void {
  const [, isLastWeekday, date, days] = match(item, /^(?:(LW|WL)|(\d+)W|L(?:-(\d+))?)$/)
  if (isLastWeekday !== undefined) nearest.add(32)
  else if (date !== undefined) nearest.add(readValue('dates', date))
  else beforeLast.add(within(Number(days ?? 0), 0, 30))
}

/** `TUE#1`, `2#1`, `FRIL`, `FRI#L` */
function addNth({ nth }: CronSets, item: string): void {
  const [, weekday = '', week = 'L'] = match(item, /^(\d+|[A-Z]{3})(?:L|#([1-5L]))$/)
  nth.add((readValue('weekdays', weekday) % 7) + 7 * (week === 'L' ? 5 : Number(week) - 1))
}

function addRange(sets: CronSets, field: CronField, item: string): void {
  const pattern = /^([*?](?!-)|\d+|[A-Z]+)(?:-(\d+|[A-Z]+))?(?:\/(\d+))?$/
  const [, first = '', last, stepText] = match(item, pattern)
  const [low, size] = ranges[field]
  const isAny = first === '*' || first === '?'
  const from = isAny ? low : readValue(field, first)
  const isOpen = isAny || (last === undefined && stepText !== undefined)
  const to = isOpen ? low + size - 1 : readValue(field, last ?? first)
  const step = within(Number(stepText ?? 1), 1, size - 1)
  for (let value = from; value <= rangeEnd(field, from, to); value += step) {
    sets[field].add(low + ((value - low) % size))
  }
}

/** Months and weekdays wrap around: NOV-FEB, FRI-MON. */
function rangeEnd(field: CronField, from: number, to: number): number {
  if (field !== 'months' && field !== 'weekdays') return within(to, from, to)
  return to < from ? to + ranges[field][1] : to
}

function readValue(field: CronField, text: string): number {
  const [low, size] = ranges[field]
  // Weekday 7 is Sunday again.
  const high = field === 'weekdays' ? 7 : low + size - 1
  if (/^\d+$/.test(text)) return within(Number(text), low, high)
  if (field === 'months') return within(monthNames.indexOf(text) + 1, low, high)
  return within(field === 'weekdays' ? weekdayNames.indexOf(text) : -1, low, high)
}

function within(value: number, low: number, high: number): number {
  if (value >= low && value <= high) return value
  throw new RangeError(`${value} is out of ${low}–${high}`)
}

function match(item: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(item)
  if (found === null) throw new RangeError(`cannot read ${item}`)
  return found
}
