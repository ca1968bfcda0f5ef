import type { taskCount } from '../../http/schemas/task-details.ts'
import type { Read } from '../model.ts'

const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'long',
})
const digits = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** The moment itself, in the viewer's zone: for hovers and details. */
export function exactTime(iso: string): string {
  return exact.format(new Date(iso))
}

/** 12,345 */
export function count(value: number): string {
  return digits.format(value)
}

/** 12.3K, for places that are narrow. */
export function shortCount(value: number): string {
  return value < 10_000 ? digits.format(value) : compact.format(value)
}

/** A count that stopped at its cap says so. */
export function cappedCount({ count: value, exact: isExact }: Counted): string {
  return isExact ? count(value) : `${count(value)}+`
}

export type Counted = Read<typeof taskCount>

const units: readonly (readonly [number, string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
]

/** A duration in its two largest units: 2 h 5 m, 3.4 s, 12 ms. */
export function duration(seconds: number): string {
  const size = Math.abs(seconds)
  if (size < 0.0005) return '0 ms'
  if (size < 1) return `${Math.round(seconds * 1000)} ms`
  if (size < 10) return `${Number(seconds.toFixed(1))} s`
  let rest = Math.round(size)
  const parts: string[] = []
  for (const [length, name] of units) {
    const whole = Math.floor(rest / length)
    rest -= whole * length
    if (whole > 0) parts.push(`${whole} ${name}`)
    if (parts.length === 2) break
  }
  return (seconds < 0 ? '−' : '') + parts.join(' ')
}

/** In one unit, for relative times: 5 m, 2 h, 3 d. */
export function roughly(seconds: number): string {
  for (const [length, name] of units) {
    if (seconds >= length) return `${Math.floor(seconds / length)} ${name}`
  }
  return '0 s'
}

/** 5 m ago, in 2 h, now. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000
  if (seconds > -1 && seconds < 1) return 'now'
  return seconds < 0 ? `${roughly(-seconds)} ago` : `in ${roughly(seconds)}`
}

/** The seconds between two moments, where both are known. */
export function secondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000
}

/** 1.2 MB */
export function bytes(value: number | null): string {
  if (value === null) return '–'
  const names = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), names.length - 1)
  return `${Number((value / 1000 ** power).toFixed(power === 0 ? 0 : 1))} ${names[power]}`
}

/** The first part of a UUID, which is enough to tell one worker from another; names stay whole. */
export function shortId(id: string): string {
  return id.replace(/^([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '$1')
}

/** "1 task", "3 tasks" */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
