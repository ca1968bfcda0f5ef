import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { test } from '../support/http.ts'

const page = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

test('the page lists every route with its scope, and no other', async ({ http }) => {
  const text = await page('reference/http.md')
  const listed = [...text.matchAll(/^\| `([A-Z]+ \/\S+)` \| (\w+) \|/gm)].map(
    ([, route, scope]) => `${route} ${scope}`,
  )

  const routes = http.routes.map(
    ({ method, path, scope }) => `${method} ${path.replace('/api/v1', '')} ${scope}`,
  )
  expect(new Set(listed)).toEqual(new Set(routes))
  expect(listed).toHaveLength(routes.length)
})

test('the page names every code that the door itself refuses with', async () => {
  const text = await page('reference/http.md')
  const source = await readFile(
    new URL('../../src/http/answers/problem.ts', import.meta.url),
    'utf8',
  )
  const codes = [...source.matchAll(/^ {2}\| '(\w+)'$/gm)].map(([, code]) => code)

  expect(codes.length).toBeGreaterThan(10)
  for (const code of codes) expect(text).toContain(`\`${code}\``)
})
