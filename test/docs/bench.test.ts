import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { scenarios } from '../../bench/scenarios/all.ts'

const page = new URL('../../bench/README.md', import.meta.url)

test('the page of the benchmarks lists every scenario once, and no other', async () => {
  const rows = (await readFile(page, 'utf8')).match(/^\| `.*$/gm) ?? []
  const listed = rows.flatMap((row) =>
    Array.from(row.split('|')[1]?.matchAll(/`([\w-]+)`/g) ?? [], ([, name]) => name),
  )

  expect(listed.toSorted()).toEqual(scenarios.map(({ name }) => name).toSorted())
})
