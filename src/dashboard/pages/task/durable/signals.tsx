import type { JSX } from 'preact'
import { JsonView } from '../../../components/json-view.tsx'
import { Section } from '../../../components/page.tsx'
import { Time } from '../../../components/time.tsx'
import type { PendingSignal } from '../../../model.ts'

/** Signals that were sent to the task and that it has not received yet, the oldest first. */
export function Signals({ list }: { readonly list: readonly PendingSignal[] }): JSX.Element | null {
  if (list.length === 0) return null
  return (
    <Section title="Signals not received yet">
      <ul class="stack">
        {list.map(({ id, name, sent_at, sent_by, payload }) => (
          <li key={id}>
            <p>
              <strong>{name}</strong>{' '}
              <span class="muted">
                from {sent_by}, <Time at={sent_at} />
              </span>
            </p>
            {payload !== null && <JsonView value={payload} label="Signal" />}
          </li>
        ))}
      </ul>
    </Section>
  )
}
