import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { writeLlmsFull, writeLlmsIndex } from '../../site/llms.ts'
import { readNav } from '../../site/nav.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const groups = readNav(docs)
const listed = groups.flatMap(({ pages }) => pages.map(({ page }) => page))
const files = (await readdir(docs, { recursive: true }))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replaceAll('\\', '/').slice(0, -'.md'.length))
const texts = new Map(
  await Promise.all(
    files.map(async (page) => [page, await readFile(join(docs, `${page}.md`), 'utf8')] as const),
  ),
)
const input = {
  groups,
  textOf: (page: string) => texts.get(page) ?? '',
  base: 'https://pgtusk.dev/',
}

describe('the navigation of the site', () => {
  test('has every page once, and no page that is not there', () => {
    expect(listed.toSorted()).toEqual(files.toSorted())
  })
})

describe('llms.txt', () => {
  const index = writeLlmsIndex(input)

  test('has a line with a sentence for every page', () => {
    const lines = index.split('\n').filter((line) => line.startsWith('- '))

    expect(lines).toHaveLength(files.length)
    for (const line of lines) {
      expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/pgtusk\.dev\/[\w/-]+\.md\): \S.{10,}$/)
    }
  })

  test('begins as llmstxt.org says: a title, a summary, headings with lists', () => {
    expect(index).toMatch(/^# Tusk\n\n> [^\n]+\n\n## Index\n\n- \[/)
  })

  test('comes with all pages in one text', () => {
    const full = writeLlmsFull(input)

    for (const text of texts.values()) expect(full).toContain(text.trim())
  })
})
