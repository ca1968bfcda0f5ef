import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ApiError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { toast } from '../../components/toast.tsx'
import { type Edited, useEdited } from '../../lib/edit.ts'
import { href, navigate, queryValue } from '../../router.ts'
import { may } from '../../session.ts'
import { type ScheduleDetail, schedulePath } from '../schedules/schedule-model.ts'
import { type PlanDraft, planDraft, planOf } from './plan-draft.ts'
import { PlanFields } from './plan-fields.tsx'
import { PlanPreview } from './plan-preview.tsx'
import { changeSchedule, createSchedule } from './save-schedule.ts'
import { type TaskDraft, taskDraft } from './task-draft.ts'
import { TaskFields } from './task-fields.tsx'

/** A new schedule, or changes to one; the next times are shown while it is being written. */
export function Plan(): JSX.Element {
  const name = queryValue('schedule')
  return name === '' ? <NewPlan /> : <ChangedPlan key={name} name={name} />
}

function NewPlan(): JSX.Element {
  return (
    <PageFrame title="New schedule">
      <Needs scope="operate" to="make schedules" />
      {may('operate') && <PlanForm edited={null} />}
    </PageFrame>
  )
}

function ChangedPlan({ name }: { readonly name: string }): JSX.Element {
  const { edited, error } = useEdited<ScheduleDetail>(schedulePath(name))
  return (
    <PageFrame title={`Edit ${name}`}>
      <Needs scope="operate" to="change schedules" />
      <ProblemNote error={error} />
      {edited !== null && may('operate') && <PlanForm edited={edited} />}
    </PageFrame>
  )
}

interface Drafts {
  readonly plan: PlanDraft
  readonly task: TaskDraft
}

function PlanForm({ edited }: { readonly edited: Edited<ScheduleDetail> | null }): JSX.Element {
  const schedule = edited?.data ?? null
  const name = useSignal(schedule?.name ?? '')
  const problem = useSignal<ApiError | null>(null)
  const isBusy = useSignal(false)
  const drafts = useMemo(
    (): Drafts => ({ plan: planDraft(schedule), task: taskDraft(schedule?.task) }),
    [schedule],
  )
  const before = useMemo(() => planOf(drafts.plan), [drafts])
  const submit = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    const saved =
      edited === null
        ? await createSchedule(name.value.trim(), drafts)
        : await changeSchedule(edited, before, drafts)
    isBusy.value = false
    problem.value = saved
    if (saved !== null) return
    toast(`${name.value.trim()} is set.`, { tone: 'good' })
    navigate(href(`/schedules/${encodeURIComponent(name.value.trim())}`))
  }
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <ProblemNote error={problem.value} />
      <div class="split">
        <div class="stack">
          <Section title="When">
            <div class="form">
              {schedule === null && (
                <TextField label="Name" value={name} required placeholder="nightly report" />
              )}
              <PlanFields draft={drafts.plan} />
            </div>
          </Section>
          <Section title="What">
            <div class="form">
              <TaskPart schedule={schedule} draft={drafts.task} />
            </div>
          </Section>
        </div>
        <PlanPreview draft={drafts.plan} />
      </div>
      <div class="form-foot">
        <a class="button button--plain" href={href('/schedules')}>
          Back
        </a>
        <Button type="submit" look="primary" busy={isBusy.value}>
          {schedule === null ? 'Make the schedule' : 'Save the changes'}
        </Button>
      </div>
    </form>
  )
}

/** A connection string is shown without its password, so it cannot be sent back as it is. */
function TaskPart({
  schedule,
  draft,
}: {
  readonly schedule: ScheduleDetail | null
  readonly draft: TaskDraft
}): JSX.Element {
  if (schedule === null || !hasSecret(schedule)) return <TaskFields draft={draft} />
  return (
    <p class="muted">
      Its task has a connection string whose password is not shown. Change it with{' '}
      <code>tusk schedule set</code>; here it stays as it is.
    </p>
  )
}

export function hasSecret({ task }: ScheduleDetail): boolean {
  return JSON.stringify(task['payload'] ?? null).includes('"dsn"')
}
