import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const root = new URL('../../', import.meta.url)
const page = await readFile(new URL('docs/architecture.md', root), 'utf8')

describe('the page on the architecture', () => {
  test('names every table, and none that does not exist', async ({ engine }) => {
    const tables = await engine.rows<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
    )

    const [, section = ''] = page.split('## The tables\n')
    const rows = (section.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((row) => row.startsWith('| `'))
    const named = rows.flatMap((row) => inCodeFont(row.split('|')[1] ?? ''))

    expect(named.sort()).toEqual(tables.map(({ name }) => name).sort())
  })

  test('names files that exist', async () => {
    const files = await Promise.all(
      ['src', 'sql'].map((folder) => readdir(new URL(folder, root), { recursive: true })),
    )
    const known = new Set(files.flat().map((file) => basename(file)))

    const named = inCodeFont(page).filter((word) => /\.(ts|sql)$/.test(word) && !word.includes('*'))

    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((file) => !known.has(basename(file)))).toEqual([])
    const paths = new Set(files[0]?.map((file) => `src/${file}`))
    expect(named.filter((file) => file.startsWith('src/') && !paths.has(file))).toEqual([])
  })
})

function inCodeFont(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ([, word = '']) => word)
}
