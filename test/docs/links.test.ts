import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('every link of the documentation leads to a file, and to a heading that is there', async () => {
  const pages = await read([
    ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'AGENTS.md'],
    'bench/README.md',
    ...(await pagesIn('bench/history')),
    ...(await pagesIn('docs')),
  ])
  const links = [...pages].flatMap(([page, text]) =>
    Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, to = '']) => ({ page, to })),
  )

  const broken = links.filter(({ page, to }) => !leadsSomewhere(pages, page, to))

  expect(links.length).toBeGreaterThan(150)
  expect(broken).toEqual([])
})

test('every file of the repository that the documentation names is there', async () => {
  const pages = await read(['README.md', 'SECURITY.md', ...(await pagesIn('docs'))])
  const named = [...pages].flatMap(([page, text]) =>
    Array.from(
      text.matchAll(/`((?:bench|build|deploy|examples|sql|src|test)\/[\w./-]+)`/g),
      ([, path = '']) => ({
        page,
        path,
      }),
    ),
  )

  const missing = named.filter(
    ({ path }) => !madeLater.includes(path) && !existsSync(join(root, path)),
  )

  expect(named.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

/** What a release or a run makes. */
const madeLater = ['sql/migrations', 'bench/results', 'bench/peers/node_modules']

async function pagesIn(folder: string): Promise<string[]> {
  const files = await readdir(join(root, folder), { recursive: true })
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file))
}

/** What is shown as code has no links and no headings. */
async function read(paths: readonly string[]): Promise<Map<string, string>> {
  const texts = paths.map(async (path) => {
    const text = await readFile(join(root, path), 'utf8')
    return [path, text.replaceAll(/^```[\s\S]*?^```/gm, '')] as const
  })
  return new Map(await Promise.all(texts))
}

function leadsSomewhere(pages: ReadonlyMap<string, string>, page: string, to: string): boolean {
  if (to.startsWith('https://')) return true
  const [path = '', anchor] = to.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || anchorsOf(pages.get(target) ?? '').includes(anchor)
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
