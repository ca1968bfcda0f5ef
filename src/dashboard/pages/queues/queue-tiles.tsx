import type { JSX } from 'preact'
import { Tile, Tiles } from '../../components/tiles.tsx'
import { Elapsed } from '../../components/time.tsx'
import { shortCount } from '../../lib/format.ts'
import type { QueueStats } from '../../model.ts'
import { href } from '../../router.ts'

/** The numbers of one queue; each leads to its tasks. */
export function QueueTiles({
  stats,
  isKnown,
}: {
  readonly stats: QueueStats
  readonly isKnown: boolean
}): JSX.Element {
  const { queue, running, max_running: limit, oldest_due_at: oldest } = stats
  const tasks = (...state: readonly string[]) => href('/tasks', { queue, state })
  const number = (value: number) => (isKnown ? shortCount(value) : '–')
  return (
    <Tiles>
      <Tile label="Due" value={number(stats.due)} tone="ready" href={tasks('ready', 'blocked')} />
      <Tile
        label="Running"
        value={limit === null ? number(running) : `${number(running)} / ${number(limit)}`}
        tone="running"
        note={limit === null ? 'no limit' : 'of its limit'}
        href={tasks('running')}
      />
      <Tile
        label="Later"
        value={number(stats.later)}
        tone="scheduled"
        href={tasks('scheduled', 'retrying')}
      />
      <Tile
        label="Oldest due"
        value={oldest === null ? '–' : <Elapsed since={oldest} />}
        note="waits since"
      />
      <Tile
        label="Done"
        value={number(stats.done_last_hour)}
        tone="done"
        note="last hour"
        href={tasks('done')}
      />
      <Tile
        label="Failed"
        value={number(stats.failed_last_hour)}
        tone={stats.failed_last_hour > 0 ? 'failed' : 'plain'}
        note="last hour"
        href={tasks('failed')}
      />
    </Tiles>
  )
}
