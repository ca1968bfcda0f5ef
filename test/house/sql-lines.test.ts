import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqlFolder } from '../../src/db/sql-source.ts'

const widest = 120

test(`keeps the lines of SQL files within ${widest} columns`, async () => {
  const paths = (await readdir(sqlFolder(), { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sql'))
  const tooLong: string[] = []
  for (const path of paths) {
    const lines = (await readFile(join(sqlFolder(), path), 'utf8')).split('\n')
    for (const [index, line] of lines.entries())
      if ([...line].length > widest) tooLong.push(`sql/${path}:${index + 1}`)
  }

  expect(paths.length).toBeGreaterThan(100)
  expect(tooLong).toEqual([])
})
