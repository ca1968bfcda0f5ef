/** A time as Postgres reads it: years beyond four digits without a sign, those before Christ with `BC`. */
export function timeLiteral(time: Date): string {
  const text = time.toISOString()
  const year = time.getUTCFullYear()
  if (year >= 1 && year <= 9999) return text
  const rest = text.replace(/^[+-]?\d+/, '')
  return year > 9999 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}
