import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { writeLlmsFull, writeLlmsIndex } from '../llms.ts'
import { type NavGroup, readNav } from '../nav.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const docs = join(root, 'docs')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
}
const repository = 'https://github.com/pgtusk/tusk'
/** The path that the site is served under: one folder per version, such as /0.1/. */
const base = process.env['DOCS_BASE'] ?? '/'
/** The address it is served at, for llms.txt. */
const origin = process.env['DOCS_ORIGIN'] ?? 'https://pgtusk.dev'
/** The versions that are published, the newest first; this build is one of them. */
const versions = JSON.parse(readFileSync(new URL('../versions.json', import.meta.url), 'utf8')) as {
  version: string
  base: string
}[]

const groups = readNav(docs)
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="none" stroke="#3451b2" stroke-width="5" ' +
  'stroke-linecap="round" d="M6 5c0 14 6 21 20 22"/></svg>'

// biome-ignore lint/style/noDefaultExport: VitePress reads its configuration from there.
export default defineConfig({
  title: 'Tusk',
  description: 'The task engine that lives in your Postgres.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  base,
  srcDir: '../docs',
  cleanUrls: true,
  lastUpdated: false,
  rewrites: { 'dialects/README.md': 'dialects/index.md' },
  vite: { plugins: [leaveVueToNode()] },
  markdown: { config: (md) => linkToRepository(md) },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/start/sql' },
      { text: 'Recipes', link: '/recipes/' },
      { text: 'Reference', link: '/reference/sql/' },
      {
        text: `v${version}`,
        items: [
          ...versions.map((one) => ({ text: one.version, link: one.base, target: '_self' })),
          { text: 'Changelog', link: `${repository}/blob/main/CHANGELOG.md` },
          { text: 'Upgrade', link: '/how-to/upgrade' },
        ],
      },
    ],
    sidebar: groups.map((group, n) => ({
      text: group.text,
      collapsed: n > 1,
      items: group.pages.map(({ text, page }) => ({ text, link: linkOf(page) })),
    })),
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
  },
  buildEnd: ({ outDir }) => writeForMachines(outDir, groups),
})

/** Pages are compiled where they are, and find no Vue there. What renders them finds it from the folder of the site. */
function leaveVueToNode() {
  return {
    name: 'leave-vue-to-node',
    enforce: 'pre' as const,
    resolveId: (id: string, _importer: string | undefined, { ssr }: { ssr?: boolean }) =>
      ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : null,
  }
}

function linkOf(page: string): string {
  return `/${page.replace(/(^|\/)(index|README)$/, '$1')}`
}

/** llms.txt, llms-full.txt and the Markdown of every page beside its HTML. */
function writeForMachines(outDir: string, all: readonly NavGroup[]): void {
  const textOf = (page: string) => readFileSync(join(docs, `${page}.md`), 'utf8')
  const input = { groups: all, textOf, base: `${origin}${base}` }
  writeFileSync(join(outDir, 'llms.txt'), writeLlmsIndex(input))
  writeFileSync(join(outDir, 'llms-full.txt'), writeLlmsFull(input))
  for (const file of readdirSync(docs, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md')) continue
    mkdirSync(dirname(join(outDir, file)), { recursive: true })
    cpSync(join(docs, file), join(outDir, file))
  }
}

interface Token {
  readonly type: string
  readonly children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: { path?: string } }) => void): void
    }
  }
}

/** Pages link to files of the repository by relative paths. On the site those lead to the repository. */
function linkToRepository(md: Markdown): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const links = tokens
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === 'link_open')
    for (const link of links) {
      const address = addressOf(link.attrGet('href') ?? '', env.path ?? docs)
      if (address !== undefined) link.attrSet('href', address)
    }
  })
}

/** Where a link of a page leads that is to a file of the repository, and not to a page. */
function addressOf(href: string, page: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined
  const [path = '', anchor] = href.split('#')
  const file = normalize(join(dirname(page), path))
  if (file.startsWith(`${docs}/`) && file.endsWith('.md')) return undefined
  const hash = anchor === undefined ? '' : `#${anchor}`
  return `${repository}/blob/main/${relative(root, file)}${hash}`
}
