/**
 * Selects bigint columns as numbers. The driver returns a bigint as text, which is right for an id; a count stays far
 * below 9 quadrillion, where numbers stop being exact.
 */
export function asNumbers(...columns: readonly string[]): string {
  return columns.map((column) => `${column}::float8`).join(', ')
}
