import type { Dice } from './model.ts'

interface Field {
  readonly low: number
  readonly high: number
  readonly names?: readonly string[]
  /** Items that only this field has. */
  readonly odd?: readonly string[]
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const sixtieth: Field = { low: 0, high: 59 }
const hour: Field = { low: 0, high: 23 }
const date: Field = { low: 1, high: 31, odd: ['L', '1W', '6W', '15W', '21W', '28W'] }
const dateFromEnd: Field = {
  ...date,
  odd: [...(date.odd ?? []), 'LW', 'L-1', 'L-3', 'L-14', 'L-27'],
}
const month: Field = { low: 1, high: 12, names: months }
const weekday: Field = {
  low: 0,
  high: 6,
  names: weekdays,
  odd: weekdays.flatMap((name) => [1, 2, 3, 4, 5, 'L'].map((nth) => `${name}#${nth}`)),
}

/** An expression of any shape, often with five fields and often with stars; `L-3` and `LW` only if asked for. */
export function randomCron(dice: Dice, { fromEnd = false } = {}): string {
  const fields = [sixtieth, hour, fromEnd ? dateFromEnd : date, month, weekday]
  if (dice.chance(0.3)) fields.unshift(sixtieth)
  return fields.map((field) => randomField(dice, field)).join(' ')
}

function randomField(dice: Dice, field: Field): string {
  if (dice.chance(0.35)) return '*'
  const items = dice.pick([1, 1, 2, 3])
  return Array.from({ length: items }, () => randomItem(dice, field)).join(',')
}

function randomItem(dice: Dice, field: Field): string {
  const { low, high, odd } = field
  if (odd && dice.chance(0.2)) return dice.pick(odd)
  const from = between(dice, low, high)
  const range = `${value(dice, field, from)}-${value(dice, field, between(dice, from, high))}`
  return dice.pick([
    value(dice, field, from),
    value(dice, field, from),
    `*/${between(dice, 2, high - low)}`,
    range,
    `${range}/${between(dice, 1, 4)}`,
  ])
}

function value(dice: Dice, { low, names }: Field, number: number): string {
  return (dice.chance(0.5) && names?.[number - low]) || String(number)
}

function between(dice: Dice, low: number, high: number): number {
  return low + Math.floor(dice.next() * (high - low + 1))
}
