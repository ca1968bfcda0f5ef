import { useLoad } from '../../lib/load.ts'
import type { Page } from '../../model.ts'

interface Pulse {
  readonly queue: string
  readonly done: readonly number[]
}

/** What each queue got done per minute of the last hour. Without it the page is as good. */
export function usePulses(): ReadonlyMap<string, readonly number[]> {
  const pulses = useLoad<Page<Pulse>>('/stats/pulses', {}, { every: 60_000 })
  return new Map(pulses.data.value?.items.map(({ queue, done }) => [queue, done]))
}
