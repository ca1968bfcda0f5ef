/**
 * Columns of type bigint, as numbers. The driver gives a bigint as text, which is right for an id; a
 * count stays far below the 9 quadrillion up to which a number is exact.
 */
export function asNumbers(...columns: readonly string[]): string {
  return columns.map((column) => `${column}::float8`).join(', ')
}
