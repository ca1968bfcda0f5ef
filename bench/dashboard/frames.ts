import type { Tab } from './browser.ts'

/** How smoothly a page was drawn, in milliseconds. */
export interface Frames {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Periods of script and layout over 50 ms, and their total. */
  readonly longTasks: number
  readonly longTaskMs: number
}

const start = `{
  const frames = { times: [], long: [], isOn: true }
  let last = performance.now()
  const next = (now) => {
    frames.times.push(now - last)
    last = now
    if (frames.isOn) requestAnimationFrame(next)
  }
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(next) })
  frames.observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.long.push(duration)
  })
  frames.observer.observe({ type: 'longtask' })
  globalThis.frames_ = frames
}`

const stop = `{
  const { times, long, observer } = globalThis.frames_
  globalThis.frames_.isOn = false
  observer.disconnect()
  ;({ times: [...times], long: [...long] })
}`

/** Measures every frame until the returned function is called. */
export async function countFrames({ page }: Tab): Promise<() => Promise<Frames>> {
  await page.evaluate(start)
  return async () => {
    const { times, long } = await page.evaluate<{ times: number[]; long: number[] }>(stop)
    const sorted = times.sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
    return {
      count: sorted.length,
      p50: at(0.5),
      p99: at(0.99),
      longest: at(1),
      longTasks: long.length,
      longTaskMs: long.reduce((sum, ms) => sum + ms, 0),
    }
  }
}

/** Memory of the page: bytes of its scripts' objects, and nodes of its document. */
export interface Held {
  readonly heapBytes: number
  readonly nodes: number
}

/** After a garbage collection. */
export async function whatIsHeld({ page, devtools }: Tab): Promise<Held> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`)
  return { heapBytes: usedSize, nodes }
}
