import type { QueueNumbers } from './by-queue.ts'
import type { Family, Sample } from './write.ts'

type ByQueue = ReadonlyMap<string, QueueNumbers>

/** The metrics of queues. `bounds` are the upper bounds of the buckets but the last. */
export function queueFamilies(queues: ByQueue, bounds: readonly number[]): Family[] {
  const each = (samples: (numbers: QueueNumbers, queue: string) => Sample[]) =>
    [...queues].flatMap(([queue, numbers]) => samples(numbers, queue))
  const one = (name: string, help: string, value: (numbers: QueueNumbers) => number): Family => ({
    name,
    type: name.endsWith('_total') ? 'counter' : 'gauge',
    help,
    samples: each((numbers, queue) => [{ labels: { queue }, value: value(numbers) }]),
  })
  return [
    {
      name: 'tusk_tasks',
      type: 'gauge',
      help: 'Tasks that live: due, later, asleep or running.',
      samples: each((numbers, queue) =>
        (['due', 'later', 'asleep', 'running'] as const).map((state) => ({
          labels: { queue, state },
          value: numbers[state],
        })),
      ),
    },
    one(
      'tusk_oldest_due_seconds',
      'For how long the task has been due that has waited longest.',
      (numbers) => numbers.oldestDueSeconds,
    ),
    one('tusk_enqueued_total', 'Tasks that were enqueued.', ({ enqueued }) => enqueued),
    one('tusk_started_total', 'Attempts that were started.', ({ started }) => started),
    {
      name: 'tusk_finished_total',
      type: 'counter',
      help: 'Tasks that ended, by outcome.',
      samples: each((numbers, queue) =>
        (['done', 'failed', 'cancelled'] as const).map((outcome) => ({
          labels: { queue, outcome },
          value: numbers[outcome],
        })),
      ),
    },
    one(
      'tusk_retries_total',
      'Attempts that failed, after which the task waits again.',
      (n) => n.retried,
    ),
    one('tusk_lost_leases_total', 'Attempts that were lost with their worker.', (n) => n.lost),
    histogram('tusk_wait_seconds', 'From when a task was due until an attempt began.', {
      bounds,
      samples: [...queues].map(([queue, n]) => ({ queue, counts: n.waits, sum: n.waitSeconds })),
    }),
    histogram('tusk_run_seconds', 'How long attempts ran.', {
      bounds,
      samples: [...queues].map(([queue, n]) => ({ queue, counts: n.runs, sum: n.runSeconds })),
    }),
  ]
}

interface Histograms {
  readonly bounds: readonly number[]
  readonly samples: readonly {
    readonly queue: string
    readonly counts: readonly number[]
    readonly sum: number
  }[]
}

/** Buckets count everything up to their bound; the last has all. */
function histogram(name: string, help: string, { bounds, samples }: Histograms): Family {
  return {
    name,
    type: 'histogram',
    help,
    samples: samples.flatMap(({ queue, counts, sum }) => {
      let count = 0
      const buckets = counts.map((n, i): Sample => {
        count += n
        const le = String(bounds[i] ?? '+Inf')
        return { suffix: '_bucket', labels: { queue, le }, value: count }
      })
      return [
        ...buckets,
        { suffix: '_sum', labels: { queue }, value: sum },
        { suffix: '_count', labels: { queue }, value: count },
      ]
    }),
  }
}
