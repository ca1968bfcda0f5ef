import type { stateCount } from '../../../http/schemas/task-details.ts'
import { useLoad } from '../../lib/load.ts'
import type { TaskFilter } from '../../lib/task-filter.ts'
import type { Page, Read } from '../../model.ts'

export type StateCount = Read<typeof stateCount>

/**
 * How many tasks of each state match. Counts are bounded by the engine, but still the dearest thing
 * on the page: not more often than every three seconds.
 */
export function useCounts({ state: _, ...filter }: TaskFilter): readonly StateCount[] {
  const options = { when: true, every: 15_000, pace: 3_000 }
  return useLoad<Page<StateCount>>('/tasks/counts', filter, options).data.value?.items ?? []
}
