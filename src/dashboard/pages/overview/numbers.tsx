import type { JSX } from 'preact'
import { Tile, Tiles } from '../../components/tiles.tsx'
import { Elapsed } from '../../components/time.tsx'
import { shortCount } from '../../lib/format.ts'
import type { QueueStats } from '../../model.ts'
import { href } from '../../router.ts'

/** Counts of what waits stop here, per queue. */
const cap = 10_000

/** The numbers that say whether to worry. */
export function Numbers({
  queues,
}: {
  readonly queues: readonly QueueStats[] | null
}): JSX.Element {
  const isKnown = queues !== null
  const known = queues ?? []
  const sum = (field: NumberOf) => known.reduce((total, queue) => total + (queue[field] ?? 0), 0)
  const shown = (field: NumberOf) => {
    if (!isKnown) return '–'
    const isCapped = known.some((queue) => queue[field] === cap && field !== 'running')
    return shortCount(sum(field)) + (isCapped && capped.has(field) ? '+' : '')
  }
  const failed = sum('failed_last_hour')
  const ended = sum('done_last_hour') + failed
  const rate = ended === 0 ? 0 : failed / ended
  return (
    <Tiles>
      <Tile
        label="Due"
        value={shown('due')}
        tone="ready"
        note="ready or blocked"
        href={tasks('ready', 'blocked')}
      />
      <Tile
        label="Running"
        value={shown('running')}
        tone="running"
        note="now"
        href={tasks('running')}
      />
      <Tile
        label="Later"
        value={shown('later')}
        tone="scheduled"
        note="scheduled or retrying"
        href={tasks('scheduled', 'retrying')}
      />
      <Tile
        label="Oldest due"
        value={<OldestDue queues={known} />}
        note="has waited"
        href={tasks('ready', 'blocked')}
      />
      <Tile
        label="Done"
        value={shown('done_last_hour')}
        tone="done"
        note="last hour"
        href={tasks('done')}
      />
      <Tile
        label="Failed"
        value={shown('failed_last_hour')}
        tone={failed > 0 ? 'failed' : 'plain'}
        note={`last hour · ${(rate * 100).toFixed(rate > 0 && rate < 0.1 ? 1 : 0)} %`}
        href={tasks('failed')}
      />
    </Tiles>
  )
}

type NumberOf = 'due' | 'running' | 'later' | 'done_last_hour' | 'failed_last_hour'

const capped = new Set<NumberOf>(['due', 'later'])

function tasks(...state: readonly string[]): string {
  return href('/tasks', { state })
}

function OldestDue({ queues }: { readonly queues: readonly QueueStats[] }): JSX.Element {
  const oldest = queues
    .map(({ oldest_due_at }) => oldest_due_at)
    .filter((at) => at !== null)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0]
  return oldest === undefined ? <span>–</span> : <Elapsed since={oldest} />
}
