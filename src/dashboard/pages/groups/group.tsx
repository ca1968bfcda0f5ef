import type { JSX } from 'preact'
import { Facts } from '../../components/facts.tsx'
import { Needs } from '../../components/needs.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Tile, Tiles } from '../../components/tiles.tsx'
import { Time } from '../../components/time.tsx'
import { shortCount } from '../../lib/format.ts'
import { inWords } from '../../lib/interval.ts'
import { useLoad } from '../../lib/load.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import type { PageProps } from '../page.ts'
import { GroupMenu } from './group-menu.tsx'
import { type GroupStats, groupPath, rateInWords } from './group-model.ts'
import { GroupState } from './groups.tsx'

/** One group: its limits, how much of them is in use, and the tasks that wait for it. */
export function Group({ params }: PageProps): JSX.Element {
  const name = params['name'] ?? ''
  const loaded = useLoad<GroupStats>(groupPath(name), {}, { when: true, every: 5_000, pace: 900 })
  const group = loaded.data.value
  return (
    <PageFrame
      title={name}
      actions={
        group !== null && may('operate') ? (
          <GroupMenu group={group} onDone={loaded.reload} text="Actions" />
        ) : undefined
      }
    >
      <p class="crumb">
        <a href={href('/queues')}>Queues and groups</a>
        {group !== null && <GroupState group={group} />}
      </p>
      <Needs scope="operate" to="pause or limit" />
      <ProblemNote error={loaded.error.value} onRetry={loaded.reload} />
      {group !== null && <GroupBody group={group} />}
    </PageFrame>
  )
}

function GroupBody({ group }: { readonly group: GroupStats }): JSX.Element {
  const { group: name, running, max_running: limit, parked } = group
  return (
    <div class="stack">
      <Tiles>
        <Tile
          label="Running"
          value={limit === null ? running : `${running} / ${limit}`}
          tone="running"
          note={limit === null ? 'no limit of its own' : 'of its limit'}
          href={href('/tasks', { group: name, state: 'running' })}
        />
        <Tile
          label="Wait for it"
          value={shortCount(parked)}
          tone="blocked"
          href={href('/tasks', { group: name, state: 'blocked' })}
        />
        <Tile label="Next may start" value={<Time at={group.next_start_at} />} />
      </Tiles>
      <Section
        title="Limits"
        actions={<a href={href('/tasks', { group: name })}>Tasks of the group</a>}
      >
        <Facts
          facts={[
            ['At most running', limit ?? 'as its queues say'],
            ['Gap', group.gap === null ? null : `${inWords(group.gap)} from the ${group.gap_from}`],
            ['Rate', rateInWords(group)],
            ['Left in this window', group.rate_left],
            ['Weight in fair queues', group.weight],
            ['Paused', group.paused_at === null ? null : <Time at={group.paused_at} />],
          ]}
        />
      </Section>
    </div>
  )
}
