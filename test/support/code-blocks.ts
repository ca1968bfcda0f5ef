import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A block of code on a page of the documentation. */
export interface CodeBlock {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** The comment above it: `examples/…` is checked by another test, `fragment: …` says why it cannot be. */
  readonly note: string | undefined
  /** What the next block says that has no language, if only blank lines are between: the answer of psql. */
  readonly answer: string | undefined
}

/** Every block of README.md and docs/, page by page, in the order of the page. */
export async function readCodeBlocks(): Promise<CodeBlock[]> {
  const all = await Promise.all(
    (await pagePaths()).map(async (page) =>
      blocksOf(page, await readFile(join(root, page), 'utf8')),
    ),
  )
  return all.flat()
}

async function pagePaths(): Promise<string[]> {
  const files = await readdir(join(root, 'docs'), { recursive: true })
  const pages = files.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)
  return ['README.md', ...pages.sort()]
}

function blocksOf(page: string, text: string): CodeBlock[] {
  const found = text.matchAll(
    /(?:^ *<!-- ([^\n]*) -->\n\n?)?^( *)```(\w*)\n([\s\S]*?)^ *```$(?:\n\n```\n([\s\S]*?)^```$)?/gm,
  )
  return Array.from(
    found,
    ({ 0: all, 1: note, 2: indent = '', 3: language = '', 4: body = '', 5: answer, index }) => ({
      page,
      line: text.slice(0, index + all.indexOf('```')).split('\n').length,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      note,
      answer,
    }),
  )
}

/** Those that a page marks as a fragment, and why. */
export function reasonOf({ note }: CodeBlock): string | undefined {
  return note?.startsWith('fragment: ') ? note.slice('fragment: '.length) : undefined
}

/** What stands in code font within the text of the pages. */
export async function readInlineCode(): Promise<{ where: string; line: string }[]> {
  const pages = new Map(
    await Promise.all(
      (await pagePaths()).map(
        async (page) => [page, await readFile(join(root, page), 'utf8')] as const,
      ),
    ),
  )
  return [...pages].flatMap(([page, text]) =>
    Array.from(
      text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g),
      ([, line = '']) => ({ where: page, line }),
    ),
  )
}
