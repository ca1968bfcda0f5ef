const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A time as people say it, in its largest unit. */
export function formatSeconds(seconds: number): string {
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ['second', 1]
  const count = unit === 'second' ? Math.round(seconds * 10) / 10 : Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A list that stops when it gets long. */
export function formatList(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}

export function formatShare(part: number): string {
  return `${Math.round(part * 100)} %`
}
