import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('the pages show the examples as they are run', async () => {
  const files = await readdir(new URL('docs/', root), { recursive: true })
  const pages = await Promise.all(
    files
      .filter((file) => file.endsWith('.md'))
      .map((file) => readFile(new URL(`docs/${file}`, root), 'utf8')),
  )

  const shown = [...pages, await readFile(new URL('README.md', root), 'utf8')].flatMap((page) =>
    Array.from(page.matchAll(/<!-- (examples\/\S+) -->\n```ts\n([\s\S]*?)```/g)),
  )

  expect(shown.length).toBeGreaterThan(0)
  for (const [, path = '', code] of shown) {
    expect(code, path).toBe(await readFile(new URL(path, root), 'utf8'))
  }
})
