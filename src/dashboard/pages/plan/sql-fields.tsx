import type { JSX } from 'preact'
import type { sqlConnection, sqlRole, sqlStatement } from '../../../http/schemas/sql.ts'
import { AreaField, ChoiceField, TextField } from '../../components/field.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Info, Page, Read } from '../../model.ts'
import { may } from '../../session.ts'
import { QueueField } from './queue-field.tsx'
import { Statements } from './statements.tsx'
import type { TaskDraft } from './task-draft.ts'

/** The text or a registered statement, and where and as whom it runs. */
export function SqlFields({ draft }: { readonly draft: TaskDraft }): JSX.Element {
  const isReader = may('read')
  const statements = useLoad<Page<Read<typeof sqlStatement>>>(isReader ? '/sql/statements' : null)
  const names = (statements.data.value?.items ?? []).map(({ name }) => name)
  const isRegistered = draft.statement.value !== ''
  const known = isRegistered && !names.includes(draft.statement.value)
  return (
    <>
      <SqlOff />
      {(names.length > 0 || isRegistered) && (
        <ChoiceField
          label="Statement"
          value={draft.statement}
          choices={[
            { value: '', text: 'as written below' },
            ...[...names, ...(known ? [draft.statement.value] : [])].map((name) => ({
              value: name,
              text: name,
            })),
          ]}
        />
      )}
      {isRegistered ? (
        <AreaField
          label="Parameters, JSON"
          value={draft.params}
          rows={4}
          placeholder='{"account": 7}'
        />
      ) : (
        <>
          <AreaField
            label="SQL"
            value={draft.sql}
            rows={10}
            placeholder="select now()"
            hint="One statement or many."
            required
          />
          <Statements sql={draft.sql.value} />
        </>
      )}
      <div class="form-grid">
        <QueueField draft={draft} />
        {!isRegistered && <Where draft={draft} />}
      </div>
    </>
  )
}

function Where({ draft }: { readonly draft: TaskDraft }): JSX.Element {
  const path = (name: string) => (may('read') ? `/sql/${name}` : null)
  const connections = useLoad<Page<Read<typeof sqlConnection>>>(path('connections'))
  const roles = useLoad<Page<Read<typeof sqlRole>>>(path('roles'))
  return (
    <>
      <TextField
        label="Connection"
        value={draft.connection}
        offers={(connections.data.value?.items ?? []).map(({ name }) => name)}
        placeholder="the engine's own database"
      />
      <TextField
        label="Role"
        value={draft.role}
        offers={[...new Set((roles.data.value?.items ?? []).map(({ role }) => role))]}
        placeholder="the role that submits it"
      />
    </>
  )
}

/** Why SQL would be refused, before it is. */
function SqlOff(): JSX.Element | null {
  const info = useLoad<Info>('/info')
  const isOff = info.data.value?.sql_over_http === false
  if (!isOff && may('sql')) return null
  return (
    <div class="note note--warn">
      <p>
        {isOff
          ? 'This server takes no SQL over HTTP. Start it with --http-sql to change that.'
          : 'Your token may not bring SQL: it needs the scope sql.'}
      </p>
    </div>
  )
}
