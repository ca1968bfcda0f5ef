import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { readExposition } from '../support/exposition.ts'
import { adminToken, test } from '../support/http.ts'

test('the page lists every metric with its type and labels, and no other', async ({
  http,
  engine,
  db,
}) => {
  await engine.enqueue({ queue: 'mail' })
  await db.query(
    `select register_chores('w', '[{"name": "sweep", "every": "1 minute", "timeout": "1 minute", "ttl": "10 seconds"}]')`,
  )
  const headers = { authorization: `Bearer ${adminToken}` }
  const response = await http.fetch(new Request('http://tusk.test/metrics', { headers }))
  const families = readExposition(await response.text())

  const page = await readFile(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `(tusk_\w+)` \| (\w+) \| ([^|]*)\|/gm)].map(
    ([, name, type, labels = '']) => [name, type, [...labels.matchAll(/\w+/g)].map(String)],
  )

  const reported = [...families].map(([name, { type, samples }]) => {
    const labels = Object.keys(samples[0]?.labels ?? { chore: '' }).filter((one) => one !== 'le')
    return [name, type, labels]
  })
  expect(listed).toEqual(reported)
})
