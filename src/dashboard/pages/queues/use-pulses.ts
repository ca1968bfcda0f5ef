import type { pulse } from '../../../http/schemas/stats.ts'
import { useLoad } from '../../lib/load.ts'
import type { Page, Read } from '../../model.ts'

type Pulse = Read<typeof pulse>

/** What each queue got done per minute of the last hour, without the running one. Without it the page is as good. */
export function usePulses(): ReadonlyMap<string, readonly number[]> {
  const pulses = useLoad<Page<Pulse>>('/stats/pulses', {}, { every: 60_000 })
  return new Map(pulses.data.value?.items.map(({ queue, done }) => [queue, done.slice(0, -1)]))
}
