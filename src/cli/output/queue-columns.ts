import type { QueueStats } from '../../engine/measuring.ts'
import type { Column } from './screen.ts'
import { fromNow } from './spans.ts'

/** More is not counted: the exact number is not worth its cost. */
const counted = 10_000

/** A list of queues as people see it. */
export const queueColumns: readonly Column<QueueStats>[] = [
  { name: 'queue', of: ({ queue }) => queue },
  {
    name: 'state',
    of: ({ paused_at }) => (paused_at === null ? 'open' : 'paused'),
    style: ({ paused_at }) => (paused_at === null ? undefined : 'yellow'),
  },
  {
    name: 'running',
    of: ({ running, max_running }) =>
      max_running === null ? running : `${running}/${max_running}`,
    isNumber: true,
  },
  { name: 'due', of: ({ due }) => upTo(due), isNumber: true },
  { name: 'oldest due', of: ({ oldest_due_at }) => fromNow(oldest_due_at) },
  { name: 'later', of: ({ later }) => upTo(later), isNumber: true },
  { name: 'asleep', of: ({ asleep }) => upTo(asleep), isNumber: true },
  { name: 'enqueued/h', of: (row) => row.enqueued_last_hour, isNumber: true },
  { name: 'done/h', of: (row) => row.done_last_hour, isNumber: true },
  {
    name: 'failed/h',
    of: (row) => row.failed_last_hour,
    isNumber: true,
    style: (row) => (row.failed_last_hour === 0 ? undefined : 'red'),
  },
]

function upTo(count: number): string {
  return count < counted ? String(count) : `${counted}+`
}
