import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../api.ts'
import type { Series } from '../../model.ts'

const atOnce = 3
const againMs = 60_000

/** What each queue got done per minute of the last hour; a few requests at a time, once a minute. */
export function usePulses(queues: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const pulses = useSignal<ReadonlyMap<string, readonly number[]>>(new Map())
  const wanted = queues.join('\n')
  useEffect(() => {
    if (wanted === '') return undefined
    const stopped = new AbortController()
    const load = () =>
      void loadAll(wanted.split('\n'), stopped.signal, (queue, values) => {
        pulses.value = new Map(pulses.value).set(queue, values)
      })
    load()
    const timer = setInterval(() => document.hidden || load(), againMs)
    return () => {
      clearInterval(timer)
      stopped.abort()
    }
  }, [wanted])
  return pulses.value
}

async function loadAll(
  queues: readonly string[],
  signal: AbortSignal,
  give: (queue: string, values: readonly number[]) => void,
): Promise<void> {
  const left = [...queues]
  const work = async () => {
    for (let queue = left.shift(); queue !== undefined; queue = left.shift()) {
      if (signal.aborted) return
      const series = await load(queue, signal)
      if (series !== null)
        give(
          queue,
          series.points.map(({ done }) => done),
        )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** The lines are an ornament: without them the page is as good. */
function load(queue: string, signal: AbortSignal): Promise<Series | null> {
  return api.get<Series>('/stats/series', { range: '1h', queue }, signal).catch(() => null)
}
