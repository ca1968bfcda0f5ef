import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ApiError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Segments } from '../../components/segments.tsx'
import { href, navigate, queryValue } from '../../router.ts'
import { may } from '../../session.ts'
import { planDraft } from '../plan/plan-draft.ts'
import { PlanFields } from '../plan/plan-fields.tsx'
import { PlanPreview } from '../plan/plan-preview.tsx'
import { taskDraft } from '../plan/task-draft.ts'
import { TaskFields } from '../plan/task-fields.tsx'
import { type Drafts, submitTask } from './submit-task.ts'
import { Submitted } from './submitted.tsx'

/** Something to be done: now, later, or again and again. Of SQL, what it gave stands below. */
export function NewTask(): JSX.Element {
  return (
    <PageFrame title="New task">
      <Needs scope="enqueue" to="submit tasks" />
      {may('enqueue') && <NewTaskForm />}
    </PageFrame>
  )
}

function useDrafts(): Drafts {
  const when = useSignal('now')
  const runAt = useSignal('')
  const name = useSignal('')
  const kind = queryValue('kind')
  return useMemo(() => {
    const queue = queryValue('queue')
    const before = queue === '' ? {} : { queue, kind: kind || 'handler' }
    return { task: taskDraft(before, kind || 'sql'), plan: planDraft(null), when, runAt, name }
  }, [])
}

function NewTaskForm(): JSX.Element {
  const drafts = useDrafts()
  const problem = useSignal<ApiError | null>(null)
  const isBusy = useSignal(false)
  const submitted = useSignal<string | null>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    const answer = await submitTask(drafts)
    isBusy.value = false
    problem.value = 'problem' in answer ? answer.problem : null
    if ('task' in answer) submitted.value = answer.task
    if ('schedule' in answer) {
      navigate(href(`/schedules/${encodeURIComponent(answer.schedule)}`))
    }
  }
  const isPlanned = drafts.when.value === 'schedule'
  return (
    <div class="stack">
      <form
        class="form"
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (isSent) event.currentTarget.requestSubmit()
        }}
      >
        <ProblemNote error={problem.value} />
        <div class={isPlanned ? 'split' : 'stack'}>
          <div class="stack">
            <Section title="What">
              <div class="form">
                <TaskFields draft={drafts.task} />
              </div>
            </Section>
            <WhenSection drafts={drafts} isBusy={isBusy.value} />
          </div>
          {isPlanned && <PlanPreview draft={drafts.plan} />}
        </div>
      </form>
      {submitted.value !== null && <Submitted key={submitted.value} id={submitted.value} />}
    </div>
  )
}

function WhenSection({
  drafts,
  isBusy,
}: {
  readonly drafts: Drafts
  readonly isBusy: boolean
}): JSX.Element {
  const when = drafts.when.value
  const verbs: Readonly<Record<string, string>> = {
    now: drafts.task.kind.value === 'sql' ? 'Run it' : 'Submit it',
    later: 'Submit it for then',
    schedule: 'Make the schedule',
  }
  return (
    <Section title="When">
      <div class="form">
        <Segments
          label="When"
          value={when}
          choices={[
            { value: 'now', text: 'Now' },
            { value: 'later', text: 'Later' },
            { value: 'schedule', text: 'On a schedule' },
          ]}
          onChange={(value) => {
            drafts.when.value = value
          }}
        />
        {when === 'later' && (
          <div class="form-grid">
            <TextField
              label="Not before, in your time zone"
              type="datetime-local"
              value={drafts.runAt}
              required
            />
          </div>
        )}
        {when === 'schedule' && (
          <>
            <div class="form-grid">
              <TextField
                label="Name of the schedule"
                value={drafts.name}
                placeholder="made up unless given"
              />
            </div>
            <PlanFields draft={drafts.plan} />
          </>
        )}
        <div class="form-foot">
          <span class="muted from-wide">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          <Button type="submit" look="primary" icon="play" busy={isBusy}>
            {verbs[when] ?? 'Submit it'}
          </Button>
        </div>
      </div>
    </Section>
  )
}
