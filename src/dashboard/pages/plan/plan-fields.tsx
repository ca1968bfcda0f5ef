import type { JSX } from 'preact'
import { ChoiceField, TextField } from '../../components/field.tsx'
import { Segments } from '../../components/segments.tsx'
import { zones } from '../../lib/zoned.ts'
import type { PlanDraft } from './plan-draft.ts'

const allZones = zones()

/** When it comes: by cron, by an interval, or once. */
export function PlanFields({ draft }: { readonly draft: PlanDraft }): JSX.Element {
  return (
    <>
      <Segments
        label="How to say when"
        value={draft.when.value}
        choices={[
          { value: 'cron', text: 'Cron' },
          { value: 'every', text: 'Interval' },
          { value: 'at', text: 'Once' },
        ]}
        onChange={(value) => {
          draft.when.value = value
        }}
      />
      <div class="form-grid">
        <When draft={draft} />
        <TextField
          label="Zone"
          value={draft.zone}
          offers={allZones}
          placeholder="UTC"
          hint="Time zone of the schedule."
        />
      </div>
      <details class="form-more">
        <summary>Start, end, what is missed and what overlaps</summary>
        <div class="form-grid">
          <Policies draft={draft} />
        </div>
      </details>
    </>
  )
}

function When({ draft }: { readonly draft: PlanDraft }): JSX.Element {
  if (draft.when.value === 'every') {
    return (
      <TextField
        key="every"
        label="Every"
        value={draft.every}
        placeholder="15 minutes"
        required
        hint="An interval: 90 seconds, 1 day 6 hours."
      />
    )
  }
  if (draft.when.value === 'at') {
    return (
      <TextField
        key="at"
        label="At"
        type="datetime-local"
        value={draft.at}
        required
        hint="In the time zone of the schedule."
      />
    )
  }
  return (
    <TextField
      key="cron"
      label="Cron"
      value={draft.cron}
      mono
      required
      placeholder="30 2 * * *"
      hint="Minute, hour, day, month, weekday; with six fields the second comes first."
    />
  )
}

function Policies({ draft }: { readonly draft: PlanDraft }): JSX.Element {
  return (
    <>
      <ChoiceField
        label="While one is not over"
        value={draft.overlap}
        choices={[
          { value: '', text: 'default' },
          { value: 'allow', text: 'allow: side by side' },
          { value: 'skip', text: 'skip the time' },
          { value: 'queue', text: 'queue: one after the other' },
          { value: 'cancel', text: 'cancel the one before' },
        ]}
      />
      <ChoiceField
        label="Times that were missed"
        value={draft.misfire}
        choices={[
          { value: '', text: 'default' },
          { value: 'once', text: 'once: the newest' },
          { value: 'skip', text: 'skip all' },
          { value: 'all', text: 'all' },
        ]}
      />
      <TextField
        label="Missed when later than"
        value={draft.misfire_after}
        placeholder="1 minute"
      />
      <TextField
        label="Catch up at most"
        type="number"
        value={draft.catch_up}
        placeholder="100"
        hint="The most missed times that are run."
      />
      <TextField
        label="Jitter"
        value={draft.jitter}
        placeholder="none"
        hint="Each run starts up to this much later."
      />
      {draft.when.value === 'every' && (
        <ChoiceField
          label="The interval counts from"
          value={draft.drift}
          choices={[
            { value: '', text: 'default' },
            { value: 'planned', text: 'the planned time' },
            { value: 'finished', text: 'the end of the task before' },
          ]}
        />
      )}
      <TextField label="Not before" type="datetime-local" value={draft.starts_at} />
      <TextField label="Not after" type="datetime-local" value={draft.ends_at} />
      <TextField label="Keep occurrences for" value={draft.keep} placeholder="30 days" />
    </>
  )
}
