import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the page on limits lists every bound that the engine states', async () => {
  const sql = await read('sql/core/bounds.sql')
  const stated = Array.from(sql.matchAll(/when '(\w+)' then (\d+)/g), ([, name = '', limit]) => ({
    name,
    limit: Number(limit),
  }))

  const page = await read('docs/reference/limits.md')
  const listed = Array.from(
    page.matchAll(/^\|.*\| ([\d,]+).* \| `(\w+)` \|$/gm),
    ([, limit = '', name = '']) => ({ name, limit: Number(limit.replaceAll(',', '')) }),
  )

  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  expect(stated.length).toBeGreaterThan(10)
  expect(listed.sort(byName)).toEqual(stated.sort(byName))
})
