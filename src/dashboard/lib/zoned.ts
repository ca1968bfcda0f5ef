/** All zones that the browser knows, for offers; UTC first. */
export function zones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

export function viewersZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A moment as the clocks of a zone show it, in the form of an input: 2026-12-24T18:00:00. */
export function localIn(zone: string, iso: string | null): string {
  if (iso === null) return ''
  try {
    const parts = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }).formatToParts(new Date(iso))
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
    const date = `${part('year')}-${part('month')}-${part('day')}`
    return `${date}T${part('hour')}:${part('minute')}:${part('second')}`
  } catch {
    // A zone that Postgres knows and the browser does not.
    return iso
  }
}
