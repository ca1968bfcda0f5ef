import type { JSX } from 'preact'
import { Facts } from '../../components/facts.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Section } from '../../components/page.tsx'
import { Sql } from '../../components/sql.tsx'
import { duration } from '../../lib/format.ts'
import { sqlOf } from '../../lib/task-summary.ts'
import type { Json, SqlOutput, Task } from '../../model.ts'
import { Notices, NotKept, Results } from './sql-results.tsx'

/** What the task was given: SQL as SQL, with the place of the error, everything else as JSON. */
export function PayloadSection({ task }: { readonly task: Task }): JSX.Element {
  const sql = sqlOf(task)
  return (
    <Section title={sql === null ? 'Payload' : 'SQL'}>
      <div class="stack">
        {sql !== null && <Sql text={sql} position={positionOf(task)} />}
        {sql === null && <JsonView value={task.payload} label="Payload" />}
        {sql !== null && <SqlSettings payload={task.payload} />}
        {isFilled(task.meta) && (
          <>
            <h3>Meta</h3>
            <JsonView value={task.meta} label="Meta" />
          </>
        )}
      </div>
    </Section>
  )
}

/** What it gave back. */
export function OutputSection({ task }: { readonly task: Task }): JSX.Element | null {
  if (task.output === null) return null
  const sql = sqlOutputOf(task)
  if (sql === null) {
    return (
      <Section title="Output">
        <JsonView value={task.output} label="Output" />
      </Section>
    )
  }
  return (
    <Section
      title="Output"
      actions={
        <span class="muted">
          {duration(sql.duration_ms / 1000)} · backend {sql.pid} · {sql.delivery.replace('_', ' ')}
        </span>
      }
    >
      <div class="stack">
        <Results results={sql.results} />
        <Notices notices={sql.notices} />
        <NotKept output={sql} />
      </div>
    </Section>
  )
}

function sqlOutputOf({ kind, output }: Task): SqlOutput | null {
  const isSql =
    kind === 'sql' && typeof output === 'object' && output !== null && 'results' in output
  return isSql ? (output as unknown as SqlOutput) : null
}

function positionOf({ error }: Task): number | undefined {
  return typeof error?.position === 'number' ? error.position : undefined
}

/** What else a SQL task was given: its role, its parameters, its connection. */
function SqlSettings({ payload }: { readonly payload: Json }): JSX.Element | null {
  const { sql: _, ...rest } = payload as Readonly<Record<string, Json>>
  const settings = Object.entries(rest)
  if (settings.length === 0) return null
  return (
    <Facts
      facts={settings.map(([name, value]) => [
        name,
        <code key={name}>{typeof value === 'string' ? value : JSON.stringify(value)}</code>,
      ])}
    />
  )
}

function isFilled(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}
