import type { JSX } from 'preact'
import { Facts } from '../../components/facts.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Sql } from '../../components/sql.tsx'
import { Time } from '../../components/time.tsx'
import { inWords } from '../../lib/interval.ts'
import { property } from '../../lib/task-summary.ts'
import { href } from '../../router.ts'
import type { ScheduleDetail, Template } from './schedule-model.ts'

const overlaps: Readonly<Record<string, string>> = {
  allow: 'allow: they run beside each other',
  skip: 'skip: the time is left out',
  queue: 'queue: one after the other',
  cancel: 'cancel: the one before is cancelled',
}

const misfires: Readonly<Record<string, string>> = {
  once: 'once: the newest of what was missed',
  skip: 'skip: none of what was missed',
  all: 'all of what was missed',
}

/** How the plan is written, and its policies. */
export function PlanFacts({ schedule }: { readonly schedule: ScheduleDetail }): JSX.Element {
  const { cron, every, at, zone } = schedule
  return (
    <Facts
      facts={[
        ...(cron === null ? [] : [['Cron', <code key="cron">{cron}</code>] as const]),
        ...(every === null ? [] : [['Every', inWords(every)] as const]),
        ...(at === null ? [] : [['At', <Time key="at" at={at} />] as const]),
        ['Zone', zone],
        ['While one is not over', overlaps[schedule.overlap] ?? schedule.overlap],
        [
          'When missed',
          `${misfires[schedule.misfire] ?? schedule.misfire}, later than ${inWords(schedule.misfire_after)}`,
        ],
        ...(every === null ? [] : [['Counts from', `the ${schedule.drift} time`] as const]),
        ...(hasJitter(schedule)
          ? [['Jitter', `up to ${inWords(schedule.jitter ?? '')}`] as const]
          : []),
        ...(schedule.starts_at === null
          ? []
          : [['Not before', <Time key="starts" at={schedule.starts_at} />] as const]),
        ...(schedule.ends_at === null
          ? []
          : [['Not after', <Time key="ends" at={schedule.ends_at} />] as const]),
        ['Occurrences are kept', schedule.keep],
        [
          'Set by',
          <>
            {schedule.set_by} <Time at={schedule.updated_at} />
          </>,
        ],
      ]}
    />
  )
}

function hasJitter({ jitter }: ScheduleDetail): boolean {
  return jitter !== null && jitter !== '00:00:00'
}

/** What it enqueues: SQL as SQL, the rest as it is. */
export function TaskOfSchedule({ template }: { readonly template: Template }): JSX.Element {
  const payload = template['payload'] ?? null
  const sql = template['kind'] === 'sql' ? property(payload, 'sql') : undefined
  const queue = String(template['queue'] ?? '')
  const rest = restOf(template, typeof sql === 'string')
  return (
    <div class="stack">
      <Facts
        facts={[
          [
            'Queue',
            <a key="queue" href={href(`/queues/${encodeURIComponent(queue)}`)}>
              {queue}
            </a>,
          ],
          ['Kind', String(template['kind'] ?? 'handler')],
        ]}
      />
      {typeof sql === 'string' ? <Sql text={sql} /> : null}
      {Object.keys(rest).length > 0 && <JsonView value={rest} label="Task" />}
    </div>
  )
}

/** What is not shown otherwise. */
function restOf(
  { queue: _, kind: __, payload = null, ...others }: Template,
  isSql: boolean,
): Template {
  if (!isSql) return payload === null ? others : { ...others, payload }
  const { sql: ___, ...settings } = payload as Template
  return { ...others, ...settings }
}
