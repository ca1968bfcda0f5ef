import type { JSX } from 'preact'
import { Dialog } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { exactTime } from '../../lib/format.ts'
import type { Json } from '../../model.ts'
import { type AuditEntry, type Difference, differences } from './audit-model.ts'

/** One deed: who, from where, and what was before and after. */
export function EntryDialog({
  entry,
  onClose,
}: {
  readonly entry: AuditEntry
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Dialog title={`${entry.action}: ${entry.object}`} onClose={onClose} wide>
      <Facts
        facts={[
          ['When', exactTime(entry.at)],
          ['Who', entry.actor],
          ['Token', entry.token_name],
          ['Login in Postgres', entry.login],
          ['Door', entry.door],
          ['Address', entry.address],
          ['Request', entry.request],
        ]}
      />
      <Change entry={entry} />
    </Dialog>
  )
}

function Change({ entry: { before, after } }: { readonly entry: AuditEntry }): JSX.Element {
  const changed = differences(before, after)
  if (changed !== null && changed.length > 0) return <Differences changed={changed} />
  return (
    <>
      {before !== null && <JsonView value={before} label="Before" />}
      {after !== null && <JsonView value={after} label="After" />}
      {before === null && after === null && <p class="muted">Nothing more is known of it.</p>}
    </>
  )
}

function Differences({ changed }: { readonly changed: readonly Difference[] }): JSX.Element {
  return (
    <div class="table-wrap">
      <table class="table" aria-label="What it changed">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changed.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="mono wrap-anywhere diff-before">{said(before)}</td>
              <td class="mono wrap-anywhere diff-after">{said(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function said(value: Json | undefined): string {
  return value === undefined ? '–' : JSON.stringify(value)
}
