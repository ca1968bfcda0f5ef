import type { DialectReport } from '../../dialects/install-dialect.ts'
import type { Column } from './screen.ts'

/** What an install did to a schema, as the end of a sentence. */
export function summarize(applied: number, removed: number): string {
  if (applied + removed === 0) return 'is up to date.'
  const parts = [applied > 0 && `${applied} applied`, removed > 0 && `${removed} removed`]
  return `is up to date now: ${parts.filter(Boolean).join(', ')}.`
}

/** What an upgrade did to a dialect that had been installed. */
export function summarizeDialect({ dialect, schema, applied, removed }: DialectReport): string {
  return `Dialect ${dialect} in schema ${schema} ${summarize(applied.length, removed.length)}`
}

/** The files that an install applied. */
export const fileColumns: readonly Column<{ readonly path: string }>[] = [
  { name: 'applied', of: ({ path }) => path },
]
