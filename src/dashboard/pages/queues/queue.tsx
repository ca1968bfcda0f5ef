import type { JSX } from 'preact'
import { EmptyState } from '../../components/empty-state.tsx'
import { Facts } from '../../components/facts.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import type { InForce } from '../../components/settings-form.tsx'
import { useLoad } from '../../lib/load.ts'
import { inWordsOf, sources } from '../../lib/settings.ts'
import type { QueueStats, Stats } from '../../model.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { ErrorGroups } from '../errors/error-groups.tsx'
import { ActivityCharts } from '../overview/activity-charts.tsx'
import type { PageProps } from '../page.ts'
import { OperationProgress } from '../tasks/operation-progress.tsx'
import { HandlerStats } from './handler-stats.tsx'
import { PushedTo } from './pushed-to.tsx'
import { queuePath } from './queue-actions.ts'
import { QueueMenu } from './queue-menu.tsx'
import { queueSettings } from './queue-settings.ts'
import { QueueState } from './queue-table.tsx'
import { QueueTiles } from './queue-tiles.tsx'

/** One queue: what waits and runs, how it went, what it is set to. */
export function Queue({ params }: PageProps): JSX.Element {
  const name = params['name'] ?? ''
  const stats = useLoad<Stats>(
    '/stats',
    {},
    { when: (changes) => changes.touchesQueue(name), every: 5_000, pace: 900 },
  )
  const settings = useLoad<{ readonly in_force: InForce }>(queuePath(name), {}, { every: 30_000 })
  const found = stats.data.value?.queues.find(({ queue }) => queue === name)
  // The defaults of all, `*`, are in no statistics but can be set.
  if (found === undefined && stats.data.value !== null && settings.error.value?.status === 404) {
    return (
      <PageFrame title={name}>
        <EmptyState title={`There is no queue ${name}.`}>
          A queue is there as soon as something is in it. <a href={href('/queues')}>All queues</a>
        </EmptyState>
      </PageFrame>
    )
  }
  const own = found ?? empty(name)
  const reload = () => {
    stats.reload()
    settings.reload()
  }
  return (
    <PageFrame
      title={name}
      actions={
        <>
          <OperationProgress />
          {may('operate') && <QueueMenu stats={own} onDone={reload} text="Actions" />}
        </>
      }
    >
      <p class="crumb">
        <a href={href('/queues')}>Queues</a>
        {stats.data.value !== null && <QueueState stats={own} />}
      </p>
      <Needs scope="operate" to="pause, limit, retry or purge" />
      <div class="stack">
        <ProblemNote error={stats.error.value} onRetry={reload} />
        <PushedTo queue={name} />
        <QueueTiles stats={own} isKnown={stats.data.value !== null} />
        <ActivityCharts queue={name} />
        <ErrorGroups title="Errors" queue={name} />
        <HandlerStats queue={name} />
        <SettingsInForce held={settings.data.value?.in_force ?? {}} queue={name} />
      </div>
    </PageFrame>
  )
}

function SettingsInForce({
  held,
  queue,
}: {
  readonly held: InForce
  readonly queue: string
}): JSX.Element {
  return (
    <Section
      title="Settings"
      actions={<a href={href('/tasks', { queue })}>All tasks of the queue</a>}
    >
      <Facts
        wide
        facts={queueSettings.map(({ name, label, kind }) => {
          const { value, source = '' } = held[name] ?? {}
          const text = kind === 'flag' ? (value === true ? 'yes' : 'no') : inWordsOf(value)
          return [
            label,
            <>
              {text === '' ? 'none' : text} <span class="muted">{sources[source]}</span>
            </>,
          ]
        })}
      />
    </Section>
  )
}

/** A queue that is known by its name alone. */
function empty(queue: string): QueueStats {
  return {
    queue,
    paused_at: null,
    depth: 0,
    running: 0,
    max_running: null,
    due: 0,
    later: 0,
    asleep: 0,
    oldest_due_at: null,
    enqueued_last_hour: 0,
    done_last_hour: 0,
    failed_last_hour: 0,
    cancelled_last_hour: 0,
    waiting: [],
  }
}
