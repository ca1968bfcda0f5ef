import pg from 'pg'
import { redact } from '../../lib/redact.ts'
import { ConnectionError } from './connections/connection-error.ts'

/** An error of a run, as it is stored. */
export interface Fault {
  readonly name: 'SqlError' | 'SqlConnectionError'
  readonly code: string
  readonly message: string
  readonly fields: Readonly<Record<string, string | number>>
}

const longestField = 8_000

/** The server's error, or that the connection was lost. */
export function faultOf(error: Error | undefined): Fault | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof pg.DatabaseError)) return connectionFault('connection_lost', error)
  return {
    name: 'SqlError',
    code: error.code ?? 'XX000',
    message: redact(cut(error.message)),
    fields: fieldsOf(error),
  }
}

/** The server did not answer, or its answer was cut off. */
export function connectionFault(code: string, error: unknown): Fault {
  const said = firstOf(error)
  const message = said instanceof Error ? said.message : String(said)
  // A callback for secrets may throw any error. Its fields must not be shown to those who can read the task.
  const { detail, hint, sqlstate } = said instanceof ConnectionError ? said : {}
  const fields: Record<string, string> = { severity: 'ERROR' }
  if (sqlstate !== undefined) fields['sqlstate'] = sqlstate
  if (detail !== undefined) fields['detail'] = redact(cut(detail))
  if (hint !== undefined) fields['hint'] = redact(cut(hint))
  return { name: 'SqlConnectionError', code, message: redact(cut(message)), fields }
}

/** A host with several addresses fails with one error per address, under an error with an empty message. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error
}

function fieldsOf(error: pg.DatabaseError): Record<string, string | number> {
  const fields: Record<string, string | number> = {}
  const texts: Readonly<Record<string, string | undefined>> = {
    severity: error.severity,
    detail: error.detail,
    hint: error.hint,
    internal_query: error.internalQuery,
    where: error.where,
    schema: error.schema,
    table: error.table,
    column: error.column,
    type: error.dataType,
    constraint: error.constraint,
    file: error.file,
    line: error.line,
    routine: error.routine,
  }
  for (const [name, value] of Object.entries(texts)) {
    if (value !== undefined) fields[name] = redact(cut(value))
  }
  if (error.position !== undefined) fields['position'] = Number(error.position)
  if (error.internalPosition !== undefined) {
    fields['internal_position'] = Number(error.internalPosition)
  }
  return fields
}

function cut(text: string): string {
  const whole = text.replaceAll('\0', '')
  return whole.length <= longestField ? whole : `${whole.slice(0, longestField)}…`
}
