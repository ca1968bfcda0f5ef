import { describe, expect, onTestFinished, vi } from 'vitest'
import type { Http } from '../../src/http/app.ts'
import { NamedQueues } from '../../src/http/metrics/by-queue.ts'
import { durableVerbs } from '../support/durable.ts'
import { type ReadFamily, readExposition } from '../support/exposition.ts'
import { adminToken, test } from '../support/http.ts'

async function scrape(http: Http, headers: Record<string, string> = {}) {
  const response = await http.fetch(
    new Request('http://tusk.test/metrics', {
      headers: { authorization: `Bearer ${adminToken}`, ...headers },
    }),
  )
  const text = await response.text()
  return { response, text, families: readExposition(text) }
}

function sampleOf(
  families: Map<string, ReadFamily>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count|total)$/, ''))
  return family?.samples.find(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )?.value
}

/** As deploy/ and people's own alerts know them. */
const names = [
  'tusk_tasks',
  'tusk_oldest_due_seconds',
  'tusk_enqueued_total',
  'tusk_started_total',
  'tusk_finished_total',
  'tusk_retries_total',
  'tusk_lost_leases_total',
  'tusk_wait_seconds',
  'tusk_run_seconds',
  'tusk_chore_is_led',
  'tusk_chore_runs_total',
  'tusk_chore_errors_total',
  'tusk_chore_last_success_seconds',
  'tusk_workers',
  'tusk_worker_slots',
  'tusk_connections',
  'tusk_schedules',
  'tusk_build_info',
]

describe('metrics', () => {
  test('are what Prometheus reads, each with a help and a type', async ({ http, engine }) => {
    await engine.enqueue({ queue: 'mail' })

    const { response, families } = await scrape(http)

    expect(response.headers.get('content-type')).toMatch('text/plain; version=0.0.4')
    expect([...families.keys()]).toEqual(names)
    for (const [name, { help, type }] of families) {
      expect(help, name).not.toBe('')
      expect(type === 'counter', name).toBe(name.endsWith('_total'))
    }
  })

  test('are OpenMetrics when asked for', async ({ http, engine }) => {
    await engine.enqueue({ queue: 'mail' })
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5'

    const { response, text, families } = await scrape(http, { accept })

    expect(response.headers.get('content-type')).toMatch('application/openmetrics-text')
    expect(text.endsWith('# EOF\n')).toBe(true)
    expect(families.get('tusk_enqueued')?.type).toBe('counter')
    expect(sampleOf(families, 'tusk_enqueued_total', { queue: 'mail' })).toBe(1)
  })

  test('tell what happened and what lives', async ({ serve, engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'mail' }])
    await engine.enqueue({ queue: 'mail', delay: '1 hour' })
    await engine.complete(await engine.claimOne('mail'))
    await engine.claimOne('mail')

    const { families } = await scrape(await serve())

    const of = (name: string, labels = {}) => sampleOf(families, name, { queue: 'mail', ...labels })
    expect(of('tusk_tasks', { state: 'due' })).toBe(1)
    expect(of('tusk_tasks', { state: 'later' })).toBe(1)
    expect(of('tusk_tasks', { state: 'running' })).toBe(1)
    expect(of('tusk_enqueued_total')).toBe(4)
    expect(of('tusk_started_total')).toBe(2)
    expect(of('tusk_finished_total', { outcome: 'done' })).toBe(1)
    expect(of('tusk_oldest_due_seconds')).toBeGreaterThan(0)
    expect(sampleOf(families, 'tusk_build_info')).toBe(1)
  })

  test('count as asleep what a signal has to wake, also beyond what is counted', async ({
    serve,
    engine,
  }) => {
    const { suspend } = durableVerbs(engine)
    await suspend(await engine.running(), { kind: 'signal', name: 'paid' })
    await suspend(await engine.running(), { kind: 'delay', name: 'rest', for: '1 hour' })
    const scraped = async () => {
      const { families } = await scrape(await serve())
      return ['due', 'later', 'asleep', 'running'].map((state) =>
        sampleOf(families, 'tusk_tasks', { queue: 'mail', state }),
      )
    }
    expect(await scraped()).toEqual([0, 1, 1, 0])

    await engine.rows(
      `insert into tasks (created_at, run_at, queue, handler, submitted_by, waits, payload)
       select now(), '9999-12-31 00:00:00+00', 'mail', 'mail', 'x', '{"signals": ["paid"]}', '{}'
       from generate_series(1, 12000)`,
    )
    await engine.rows(`insert into deltas (queue, enqueued) values ('mail', 12000)`)
    expect(await scraped()).toEqual([0, 1, 12_001, 0])
  })

  test('have histograms that add up, and counters that never fall over a roll_up', async ({
    serve,
    engine,
  }) => {
    const scrapes: Map<string, ReadFamily>[] = []
    for (let round = 0; round < 3; round += 1) {
      await engine.complete(await engine.running({ queue: 'mail' }))
      await engine.kill(await engine.running({ queue: 'mail' }))
      // A door each: a scrape is remembered for a second.
      scrapes.push((await scrape(await serve())).families)
      await engine.rows('select roll_up()')
      scrapes.push((await scrape(await serve())).families)
    }

    for (const families of scrapes) checkHistograms(families)
    for (const [i, families] of scrapes.entries()) {
      if (i > 0) checkCounters(scrapes[i - 1] ?? new Map(), families)
    }
    const last = scrapes.at(-1) ?? new Map()
    expect(sampleOf(last, 'tusk_run_seconds_count', { queue: 'mail' })).toBe(6)
    expect(sampleOf(last, 'tusk_finished_total', { queue: 'mail', outcome: 'failed' })).toBe(3)
  })

  test('escape the names of queues', async ({ http, engine }) => {
    const queue = 'a "quoted"\\ queue\nwith a line'
    await engine.enqueue({ queue })

    const { families } = await scrape(http)

    expect(sampleOf(families, 'tusk_enqueued_total', { queue })).toBe(1)
  })

  test('name the hundred busiest queues, and sum the others up', async ({ http, engine }) => {
    const queues = Array.from({ length: 130 }, (_, i) => `queue ${i}`)
    await engine.enqueueMany(queues.map((queue) => ({ queue })))
    await engine.enqueueMany(Array.from({ length: 5 }, () => ({ queue: 'queue 129' })))

    const { families } = await scrape(http)
    const counted = families.get('tusk_enqueued_total')?.samples ?? []

    expect(counted).toHaveLength(101)
    expect(counted.reduce((sum, { value }) => sum + value, 0)).toBe(135)
    expect(sampleOf(families, 'tusk_enqueued_total', { queue: 'queue 129' })).toBe(6)
    const other = counted.find(({ labels }) => labels['queue'] === 'other')
    expect(other?.value).toBe(30)
  })

  test('name a queue for good: the sum of the others never falls', async ({ engine }) => {
    const named = new NamedQueues()
    await engine.enqueueMany(Array.from({ length: 101 }, (_, i) => ({ queue: `queue ${i}` })))
    const before = await engine.queueTotals()
    named.welcome(before)
    const unnamed = before.map(({ queue }) => queue).find((one) => named.nameOf(one) === 'other')

    await engine.enqueueMany(Array.from({ length: 9 }, () => ({ queue: unnamed ?? '' })))
    named.welcome(await engine.queueTotals())

    expect(named.nameOf(unnamed ?? '')).toBe('other')
  })

  test('are remembered for a second', async ({ http, engine }) => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => clock.mockRestore())

    const first = await scrape(http)
    await engine.enqueue({ queue: 'mail' })
    clock.mockReturnValue(999)
    const second = await scrape(http)
    clock.mockReturnValue(1_000)
    const third = await scrape(http)

    expect(second.text).toBe(first.text)
    expect(sampleOf(third.families, 'tusk_enqueued_total', { queue: 'mail' })).toBe(1)
  })

  test('are open to callers without a token when configured so', async ({ http, serve }) => {
    const request = () => new Request('http://tusk.test/metrics')

    expect((await http.fetch(request())).status).toBe(401)
    expect((await (await serve({ openMetrics: true })).fetch(request())).status).toBe(200)
  })
})

function checkHistograms(families: Map<string, ReadFamily>): void {
  for (const name of ['tusk_wait_seconds', 'tusk_run_seconds']) {
    const samples = families.get(name)?.samples ?? []
    const buckets = samples.filter((one) => one.name.endsWith('_bucket'))
    const bounds = buckets.map(({ labels }) => Number(labels['le']?.replace('+Inf', 'Infinity')))
    const values = buckets.map(({ value }) => value)
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b))
    expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(sampleOf(families, `${name}_count`)).toBe(values.at(-1))
    const sum = sampleOf(families, `${name}_sum`) ?? Number.NaN
    expect(sum >= 0 && sum > 0 === (values.at(-1) !== 0)).toBe(true)
  }
}

function checkCounters(before: Map<string, ReadFamily>, after: Map<string, ReadFamily>): void {
  for (const [name, { type, samples }] of before) {
    if (type === 'gauge') continue
    for (const { name: sample, labels, value } of samples) {
      const now = sampleOf(after, sample, labels) ?? Number.NaN
      expect(now, `${name} ${JSON.stringify(labels)}`).toBeGreaterThanOrEqual(value)
    }
  }
}
