import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../api.ts'
import type { Counted } from '../../lib/format.ts'
import type { TaskFilter } from '../../lib/task-filter.ts'
import { onChanges } from '../../live.ts'
import { type TaskState, taskStates } from '../../model.ts'

type Counts = ReadonlyMap<TaskState, Counted>

const paceMs = 2_000
const restMs = 15_000

/**
 * How many tasks of each state match. Counts are bounded by the engine, but still the dearest thing
 * on the page: one at a time, each shown as it comes, and not more often than every two seconds.
 */
export function useCounts({ state: _, ...filter }: TaskFilter): ReadonlySignal<Counts> {
  const counts = useSignal<Counts>(new Map())
  const of = JSON.stringify(filter)
  useEffect(() => {
    const stopped = new AbortController()
    let hasChanged = true
    let countedAt = 0
    const countAll = async () => {
      hasChanged = false
      countedAt = performance.now()
      for (const state of taskStates) {
        const query = { ...filter, state }
        const counted = await api.get<Counted>('/tasks/count', query, stopped.signal)
        counts.value = new Map(counts.peek()).set(state, counted)
      }
    }
    const loop = async () => {
      while (!stopped.signal.aborted) {
        const isOld = performance.now() - countedAt > restMs
        // A count that could not be had is shown as it was; the list itself says what is wrong.
        if ((hasChanged || isOld) && !document.hidden) await countAll().catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, paceMs))
      }
    }
    const stop = onChanges(() => {
      hasChanged = true
    })
    void loop()
    return () => {
      stop()
      stopped.abort()
    }
  }, [of])
  return counts
}
