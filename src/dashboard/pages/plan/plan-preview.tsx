import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { Section } from '../../components/page.tsx'
import { useAsked } from '../../lib/debounced.ts'
import { PlannedTimes } from '../schedules/planned-times.tsx'
import type { Preview } from '../schedules/schedule-model.ts'
import { givenOnly, type PlanDraft, planOf } from './plan-draft.ts'

/** The plan in words and its next times, while it is being written. */
export function PlanPreview({ draft }: { readonly draft: PlanDraft }): JSX.Element {
  const settings = givenOnly(planOf(draft))
  const { answer, error } = useAsked(JSON.stringify(settings), () =>
    api.post<Preview>('/schedules/preview', { settings, count: 8 }),
  )
  return (
    <Section title="Preview">
      <div class="preview" aria-live="polite">
        {error !== null && (
          <div class="note note--bad">
            <div>
              <p>{error.fields[0]?.message ?? error.message}</p>
              {error.hint !== undefined && <p class="muted">{error.hint}</p>}
            </div>
          </div>
        )}
        {answer !== null && (
          <>
            <p class="preview__words">{answer.words}</p>
            <PlannedTimes times={answer.items} />
          </>
        )}
      </div>
    </Section>
  )
}
