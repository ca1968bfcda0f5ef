import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Page, Schedule } from '../../model.ts'
import { href } from '../../router.ts'

const most = 8

/** What comes next by plan. */
export function NextSchedules(): JSX.Element {
  const schedules = useLoad<Page<Schedule>>('/schedules', {}, { every: 15_000 })
  const next = (schedules.data.value?.items ?? [])
    .filter((schedule) => schedule.next_at !== null || schedule.state === 'failing')
    .sort((a, b) => (a.next_at ?? '').localeCompare(b.next_at ?? ''))
    .slice(0, most)
  return (
    <Section title="Next schedules" flush actions={<a href={href('/schedules')}>All schedules</a>}>
      <ul class="rows">
        {next.map((schedule) => (
          <NextSchedule key={schedule.name} schedule={schedule} />
        ))}
      </ul>
      {schedules.data.value !== null && next.length === 0 && (
        <EmptyState title="Nothing is planned" command={`tusk sql 'select 1' --every '1 hour'`} />
      )}
    </Section>
  )
}

function NextSchedule({ schedule }: { readonly schedule: Schedule }): JSX.Element {
  const to = href(`/schedules/${encodeURIComponent(schedule.name)}`)
  return (
    <li class="rows__row" data-row={schedule.name} data-href={to} tabIndex={-1}>
      <div class="rows__text">
        <a class="cell-cut" href={to}>
          {schedule.name}
        </a>
        <span class="muted cell-cut">{schedule.words}</span>
      </div>
      {schedule.state === 'planned' ? (
        <Time at={schedule.next_at} />
      ) : (
        <Badge state={schedule.state} tone={schedule.state === 'failing' ? 'failed' : 'blocked'} />
      )}
    </li>
  )
}
