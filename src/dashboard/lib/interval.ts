const units = ['hour', 'minute', 'second'] as const

/** A span of time as Postgres writes it, in words alone: `1 day 02:00:00` is "1 day 2 hours". */
export function inWords(interval: string): string {
  return interval.replace(/(\d+):(\d\d):(\d\d(?:\.\d+)?)/, (_, ...given: readonly unknown[]) => {
    const parts = units.flatMap((unit, index) => {
      const value = Number(given[index])
      return value === 0 ? [] : [`${value} ${unit}${value === 1 ? '' : 's'}`]
    })
    return parts.length === 0 ? '0 seconds' : parts.join(' ')
  })
}
