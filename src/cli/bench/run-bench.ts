import type { Tusk } from '../../client/tusk.ts'
import { startWorker } from '../serving/start-worker.ts'
import { type BenchResult, resultOf } from './figures.ts'

export interface BenchOptions {
  readonly url: string
  readonly schema: string
  readonly tusk: Tusk
  readonly tasks: number
  readonly pickups: number
  readonly concurrency: number
  /** A part that takes longer ends early, with what it has by then. */
  readonly seconds: number
  readonly signal: AbortSignal
  readonly onProgress: (part: string, done: number, total: number) => void
}

const queue = 'bench'

/** Enqueues, drains, and measures how soon a task starts; one after the other. */
export async function runBench(options: BenchOptions): Promise<BenchResult[]> {
  const enqueued = await enqueue(options)
  const drained = await drain(options, enqueued.tasks)
  const started = await pickup(options)
  return [enqueued, drained, started]
}

/** As many callers at once as a busy process has; the client gathers them into statements. */
const callers = 100

async function enqueue(options: BenchOptions): Promise<BenchResult> {
  const { tusk, tasks, onProgress } = options
  const startedMs = performance.now()
  const isOver = clock(options, startedMs)
  const times: number[] = []
  let asked = 0
  const call = async () => {
    while (asked < tasks && !isOver()) {
      asked += 1
      const before = performance.now()
      await tusk.enqueueTask({ queue, handler: 'nothing', payload: { n: asked } })
      times.push(performance.now() - before)
      onProgress('Enqueueing', times.length, tasks)
    }
  }
  await Promise.all(Array.from({ length: Math.min(callers, tasks) }, call))
  return resultOf(
    'enqueue',
    `one at a time from ${callers} callers`,
    startedMs,
    times.length,
    times,
  )
}

async function drain(options: BenchOptions, tasks: number): Promise<BenchResult> {
  const { concurrency, onProgress } = options
  let done = 0
  const finished = signalled()
  const startedMs = performance.now()
  const worker = await openWorker(options, async () => {
    done += 1
    if (done >= tasks) finished.resolve()
  })
  const isOver = clock(options, startedMs)
  const watch = setInterval(() => {
    onProgress('Draining', done, tasks)
    if (isOver()) finished.resolve()
  }, 50)
  if (tasks > 0) await finished.promise
  clearInterval(watch)
  // Stopped first: what ran is not done before its outcome is stored.
  await worker.stop({ deadlineMs: 1_000 })
  return resultOf('drain', `by one worker, ${concurrency} at once`, startedMs, done)
}

async function pickup(options: BenchOptions): Promise<BenchResult> {
  const { tusk, pickups, onProgress } = options
  let onStart = () => {}
  const worker = await openWorker(options, async () => onStart())
  await emptied(tusk, worker.id)
  const startedMs = performance.now()
  const isOver = clock(options, startedMs)
  const times: number[] = []
  while (times.length < pickups && !isOver()) {
    const started = signalled()
    onStart = started.resolve
    const before = performance.now()
    await tusk.enqueueTask({ queue, handler: 'nothing', payload: {} })
    await started.promise
    times.push(performance.now() - before)
    onProgress('Picking up', times.length, pickups)
  }
  await worker.stop({ deadlineMs: 1_000 })
  return resultOf(
    'pickup',
    'from enqueue() to the start, one by one',
    startedMs,
    times.length,
    times,
  )
}

function openWorker({ url, schema, concurrency }: BenchOptions, run: () => Promise<void>) {
  return startWorker({
    database: url,
    schema,
    tasks: [{ name: 'nothing', queue, run }],
    concurrency,
    chores: false,
    signals: false,
    logger: false,
  })
}

/** What a part that ended early left over must not be taken for a pickup. */
async function emptied(tusk: Tusk, worker: string): Promise<void> {
  for (;;) {
    const card = (await tusk.workers.list()).find(({ id }) => id === worker)
    if (card?.asleep && card.tasks === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function clock({ seconds, signal }: BenchOptions, startedMs: number): () => boolean {
  return () => signal.aborted || performance.now() - startedMs > seconds * 1_000
}

function signalled() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
