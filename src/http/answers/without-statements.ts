import type { DatabaseReport } from '../../doctor/database-report.ts'
import type { Finding } from '../../doctor/finding.ts'

/**
 * The report without the statements that sessions run. Other programs use the same database, and their
 * statements can have anything in them: who may only read tasks does not see them.
 */
export function withoutStatements(report: DatabaseReport): DatabaseReport {
  const { locks, transactions, warnings, unseen } = report
  return {
    ...report,
    locks: { ...locks, waiting: locks.waiting.map((one) => ({ ...one, query: null })) },
    transactions: transactions.map((one) => ({ ...one, query: null })),
    warnings: warnings.map(withoutStatement),
    unseen: [...unseen, 'What statements sessions run: this needs the scope operate.'],
  }
}

/** A finding names the statement in its details, and may repeat it in its message. */
function withoutStatement(finding: Finding): Finding {
  const statements: string[] = []
  const details = hideIn(finding.details, statements) as Finding['details']
  const message = statements.reduce((text, one) => text.replaceAll(one, '…'), finding.message)
  return { ...finding, message, details }
}

function hideIn(value: unknown, hidden: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => hideIn(one, hidden))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (name !== 'query' || typeof one !== 'string') return [name, hideIn(one, hidden)]
      if (one !== '') hidden.push(one)
      return [name, null]
    }),
  )
}
