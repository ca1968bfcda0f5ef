const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** A span of time in two units at most: `1d 3h`, `42s`, `3m 5s`. */
export function spanInWords(ms: number): string {
  const at = units.findIndex(([, size]) => Math.abs(ms) >= size)
  const [unit, size] = units[at] ?? ['s', 1_000]
  if (unit === 's') return `${Math.floor(Math.abs(ms) / size)}s`
  const count = Math.floor(Math.abs(ms) / size)
  const [smaller, smallerSize] = units[at + 1] ?? ['s', 1_000]
  const rest = Math.floor((Math.abs(ms) - count * size) / smallerSize)
  return rest === 0 ? `${count}${unit}` : `${count}${unit} ${rest}${smaller}`
}

/** From one moment to another, if both are known: `12ms`, `3m 5s`. */
export function spanBetween(from: Date | null, to: Date | null): string | null {
  if (from === null || to === null) return null
  const ms = to.getTime() - from.getTime()
  return ms < 1_000 ? `${ms}ms` : spanInWords(ms)
}

/** When it was or will be, seen from now: `3m ago`, `in 2h`. */
export function fromNow(time: Date | null, now = Date.now()): string | null {
  if (time === null) return null
  const ms = time.getTime() - now
  return ms <= 0 ? `${spanInWords(ms)} ago` : `in ${spanInWords(ms)}`
}

/** A moment, exactly. */
export function exactly(time: Date | null): string | null {
  return time?.toISOString() ?? null
}
