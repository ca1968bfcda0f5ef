import type { JSX } from 'preact'
import { PageFrame } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Stats } from '../../model.ts'
import { ActivityCharts } from './activity-charts.tsx'
import { Health } from './health.tsx'
import { NextSchedules } from './next-schedules.tsx'
import { Numbers } from './numbers.tsx'
import { ProblemQueues } from './problem-queues.tsx'
import { RecentFailures } from './recent-failures.tsx'

/** The state of everything on one screen; what needs an operator comes first. */
export function Overview(): JSX.Element {
  const stats = useLoad<Stats>('/stats', {}, { when: true, every: 5_000, pace: 900 })
  return (
    <PageFrame title="Overview">
      <div class="stack">
        <Health />
        <ProblemNote error={stats.error.value} onRetry={stats.reload} />
        <Numbers queues={stats.data.value?.queues ?? null} />
        <ActivityCharts />
        <div class="columns">
          <ProblemQueues queues={stats.data.value?.queues ?? null} />
          <RecentFailures />
          <NextSchedules />
        </div>
      </div>
    </PageFrame>
  )
}
