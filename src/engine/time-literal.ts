/**
 * A time in a form that Postgres reads: years with more than four digits have no sign, years before Christ end in `BC`.
 */
export function timeLiteral(time: Date): string {
  const text = time.toISOString()
  const year = time.getUTCFullYear()
  if (year >= 1 && year <= 9999) return text
  const rest = text.replace(/^[+-]?\d+/, '')
  return year > 9999 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}
