/** The last time that a box takes: the API reads years of four digits. */
export const lastMoment = '9999-12-31T23:59'

/** The moment that a box for times gives in the viewer's zone, for the API. */
export function momentOf(local: string): string {
  const at = new Date(local)
  if (!Number.isNaN(at.getTime()) && at.getUTCFullYear() <= 9999) return at.toISOString()
  throw new Error(
    `${local} is no time that can be kept: give a date and a time up to the year 9999, such as 2026-12-24 18:00.`,
  )
}
