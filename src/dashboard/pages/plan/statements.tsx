import type { JSX } from 'preact'
import type { statementList } from '../../../http/schemas/sql.ts'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Sql } from '../../components/sql.tsx'
import { useAsked } from '../../lib/debounced.ts'
import { plural } from '../../lib/format.ts'
import type { Read } from '../../model.ts'
import { may } from '../../session.ts'

type Parsed = Read<typeof statementList>
type Statement = Parsed['statements'][number]

/** What the server will run, one by one, before it does. */
export function Statements({ sql }: { readonly sql: string }): JSX.Element | null {
  const isEmpty = sql.trim() === ''
  const { answer, error } = useAsked(isEmpty || !may('read') ? null : sql, () =>
    api.post<Parsed>('/sql/parse', { sql }),
  )
  if (error !== null) return <Fault message={error.message} />
  if (answer === null) return null
  const fault = answer.error ?? null
  if (fault !== null) {
    return <Fault message={fault.message} sql={sql} position={fault.position ?? undefined} />
  }
  return <List statements={answer.statements} more={answer.more} />
}

/** The text with the place marked; the server may still read what this parser does not. */
function Fault({
  message,
  sql,
  position,
}: {
  readonly message: string
  readonly sql?: string
  readonly position?: number | undefined
}): JSX.Element {
  return (
    <div class="form" role="status">
      <div class="note note--warn">
        <p>It cannot be read: {message}</p>
      </div>
      {sql !== undefined && position !== undefined && <Sql text={sql} position={position} />}
    </div>
  )
}

function List({ statements, more }: Pick<Parsed, 'statements' | 'more'>): JSX.Element {
  return (
    <section class="statements" aria-label="Statements">
      <p class="form-field__hint" role="status">
        {plural(statements.length + more, 'statement')}
        {more > 0 ? `, ${statements.length} shown.` : howTheyRun(statements)}
      </p>
      <ol>
        {statements.map((one, index) => (
          <li key={index} class="statements__one">
            <Badge state={one.kind} tone={one.in_transaction ? 'ready' : 'retrying'} />
            <code class="cell-cut">{one.text.replaceAll(/\s+/g, ' ').trim()}</code>
          </li>
        ))}
      </ol>
    </section>
  )
}

function howTheyRun(statements: readonly Statement[]): string {
  return statements.every((one) => one.in_transaction)
    ? ', in one transaction: all of it or nothing.'
    : ', each committed by itself.'
}
