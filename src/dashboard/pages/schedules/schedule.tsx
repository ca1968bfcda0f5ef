import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Time } from '../../components/time.tsx'
import { useAsked } from '../../lib/debounced.ts'
import { useLoad } from '../../lib/load.ts'
import { href, navigate } from '../../router.ts'
import { may } from '../../session.ts'
import type { PageProps } from '../page.ts'
import { Occurrences } from './occurrences.tsx'
import { PlannedTimes } from './planned-times.tsx'
import { runNow } from './schedule-actions.ts'
import { PlanFacts, TaskOfSchedule } from './schedule-facts.tsx'
import { ScheduleMenu } from './schedule-menu.tsx'
import { type Preview, type ScheduleDetail, schedulePath, scheduleTone } from './schedule-model.ts'

/** One schedule: its plan in words, what comes, what became of what came. */
export function SchedulePage({ params }: PageProps): JSX.Element {
  const name = params['name'] ?? ''
  const loaded = useLoad<ScheduleDetail>(
    schedulePath(name),
    {},
    { when: true, every: 5_000, pace: 1_500 },
  )
  const schedule = loaded.data.value
  return (
    <PageFrame
      title={name}
      actions={
        schedule !== null && may('operate') ? (
          <>
            <Button icon="play" onClick={() => void runNow(name).then(loaded.reload)}>
              Run now
            </Button>
            <ScheduleMenu
              schedule={schedule}
              onDone={loaded.reload}
              onDeleted={() => navigate(href('/schedules'))}
              text="Actions"
            />
          </>
        ) : undefined
      }
    >
      <p class="crumb">
        <a href={href('/schedules')}>Schedules</a>
      </p>
      <Needs scope="operate" to="change or run it" />
      <ProblemNote error={loaded.error.value} />
      {schedule !== null && <Body schedule={schedule} />}
    </PageFrame>
  )
}

function Body({ schedule }: { readonly schedule: ScheduleDetail }): JSX.Element {
  const { name, error, failures, state, next_at: next } = schedule
  return (
    <div class="stack">
      <p class="lead">
        <Badge state={state} tone={scheduleTone(state)} />
        <span>{schedule.words}</span>
        {next !== null && (
          <span class="muted">
            next <Time at={next} />
          </span>
        )}
      </p>
      {schedule.pause_reason !== null && (
        <p class="note note--warn">Paused: {schedule.pause_reason}.</p>
      )}
      {error !== null && (
        <div class="note note--bad" role="alert">
          <p>
            It could not fire, {failures} times so far: {messageOf(error)}
          </p>
        </div>
      )}
      <div class="columns">
        <NextRuns schedule={schedule} />
        <Section title="Plan">
          <PlanFacts schedule={schedule} />
        </Section>
      </div>
      <Section title="Its task">
        <TaskOfSchedule template={schedule.task} />
      </Section>
      <Occurrences name={name} />
    </div>
  )
}

function NextRuns({ schedule: { name, revision, next_at, state } }: BodyProps): JSX.Element {
  const { answer, error } = useAsked(`${name} ${revision} ${next_at}`, () =>
    api.post<Preview>('/schedules/preview', { name, count: 8 }),
  )
  return (
    <Section title={state === 'paused' ? 'Next runs, once it is resumed' : 'Next runs'}>
      <ProblemNote error={error} />
      {answer !== null && <PlannedTimes times={answer.items} />}
    </Section>
  )
}

interface BodyProps {
  readonly schedule: ScheduleDetail
}

function messageOf(error: ScheduleDetail['error']): string {
  if (typeof error === 'object' && error !== null && 'message' in error) {
    return String(error['message'])
  }
  return String(error)
}
