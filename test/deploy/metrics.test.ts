import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { createHttp } from '../../src/http/app.ts'
import { test as base } from '../support/engine.ts'

const files = ['deploy/grafana/tusk.json', 'deploy/prometheus/alerts.yml'] as const

const test = base.extend<{ metrics: string }>({
  metrics: async ({ db, engine, schema }, use) => {
    // One of each, so that nothing is left out for want of a sample.
    const times = { everyMs: 1_000, timeoutMs: 1_000, ttlMs: 1_000 }
    await engine.registerChores('w1', [{ name: 'rescue', strategy: 'lease', ...times }], true)
    const run = { processed: 0, errors: 0, ago_ms: 0, ok_ago_ms: 0, last_ms: 1, total_ms: 1 }
    await engine.reportChores('w1', [{ chore: 'rescue', runs: 1, ...run, max_ms: 1 }])
    await engine.setSchedule('later', { task: { queue: 'mail' }, every: '1 day' })
    await engine.complete(await engine.running())
    await engine.enqueue({ queue: 'mail' })
    await engine.rows('select roll_up()')
    const tusk = await Tusk.open({ database: db, schema, listen: false })
    const http = await createHttp({ tusk, openMetrics: true, logger: false })
    const response = await http.fetch(new Request('http://localhost/metrics'))
    await use(await response.text())
    await http.close()
    await tusk.close()
  },
})

describe.for(files)('%s', (file) => {
  test('asks for nothing that the exporter does not give', async ({ metrics }) => {
    const known = namesIn(metrics)

    const used = new Set(
      [...(await textOf(file)).matchAll(/\btusk_[a-z_]+\b/g)].map(([name]) => name),
    )

    expect(used.size).toBeGreaterThan(10)
    expect([...used].filter((name) => !known.has(name))).toEqual([])
  })

  test('names only labels, and values of them, that the exporter gives', async ({ metrics }) => {
    const text = (await textOf(file)).replaceAll('\\"', '"')

    const asked = [...text.matchAll(/\b(tusk_[a-z_]+)\{([^}]*)\}/g)].flatMap(
      ([, metric = '', labels = '']) =>
        [...labels.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(([, label = '', how, value]) => ({
          metric,
          label,
          value: how === '=' ? value : undefined,
        })),
    )

    expect(asked.length).toBeGreaterThan(3)
    // Prometheus itself adds `job`.
    for (const { metric, label, value } of asked.filter(({ label }) => label !== 'job')) {
      const lines = metrics.split('\n').filter((line) => line.startsWith(`${metric}{`))
      const wanted = value === undefined ? `${label}="` : `${label}="${value}"`
      // A failing schedule is too rare to be made here; its label is enough.
      const probe = metric === 'tusk_schedules' ? `${label}="` : wanted
      expect(
        lines.some((line) => line.includes(probe)),
        `${metric} ${wanted}`,
      ).toBe(true)
    }
  })
})

function textOf(file: string): Promise<string> {
  return readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
}

/** Every name that a line of the exporter begins with. */
function namesIn(metrics: string): Set<string> {
  const samples = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const declared = [...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)
  return new Set([...declared, ...samples.map((line) => /^\w+/.exec(line)?.[0] ?? '')])
}
