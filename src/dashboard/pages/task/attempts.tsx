import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { duration, plural, secondsBetween } from '../../lib/format.ts'
import type { Attempt, Page } from '../../model.ts'
import { ErrorView } from './error-view.tsx'

const few = 10

/** The latest attempts that did not succeed; the page has the newest first. */
export function Attempts({ page }: { readonly page: Page<Attempt> | null }): JSX.Element | null {
  const isAll = useSignal(false)
  if (!page?.items.length) return null
  const { items: newest, next_cursor } = page
  const shown = isAll.value ? newest : newest.slice(0, few)
  return (
    <Section title="Attempts that did not succeed">
      <ol class="attempts">
        {shown.map((attempt) => (
          <li key={`${attempt.iteration} ${attempt.attempt} ${attempt.ended_at}`}>
            <AttemptView attempt={attempt} />
          </li>
        ))}
      </ol>
      {shown.length < newest.length && (
        <button
          type="button"
          class="link"
          onClick={() => {
            isAll.value = true
          }}
        >
          {plural(newest.length - shown.length, 'older attempt')}
        </button>
      )}
      {next_cursor !== null && <p class="muted">There are more.</p>}
    </Section>
  )
}

function AttemptView({ attempt }: { readonly attempt: Attempt }): JSX.Element {
  const took = secondsBetween(attempt.started_at, attempt.ended_at)
  return (
    <details class="attempt">
      <summary>
        <span>Attempt {attempt.attempt}</span>
        <Badge state={attempt.reason} tone="failed" />
        <span class="attempt__message">{attempt.error?.message}</span>
        <span class="muted nowrap">
          {took !== null && `${duration(took)} · `}
          <Time at={attempt.ended_at} />
        </span>
      </summary>
      {attempt.worker !== null && <p class="muted">Worker {attempt.worker}</p>}
      {attempt.error !== null && <ErrorView error={attempt.error} />}
    </details>
  )
}
