/** The last time that a box takes: the API reads years of four digits. */
export const lastMoment = '9999-12-31T23:59'

/** As a property of a request; none while its box is empty. */
export function givenMoment(name: string, local: string): Readonly<Record<string, string>> {
  return local === '' ? {} : { [name]: momentOf(local) }
}

/** The moment that a box for times gives in the viewer's zone, for the API. */
export function momentOf(local: string): string {
  const at = Date.parse(local)
  if (at <= Date.parse(lastMoment)) return new Date(at).toISOString()
  throw new Error('Give a time up to the end of the year 9999.')
}
