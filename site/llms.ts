import type { NavGroup } from './nav.ts'

export interface LlmsInput {
  readonly groups: readonly NavGroup[]
  /** The text of a page, by its path without `.md`. */
  readonly textOf: (page: string) => string
  /** Where the Markdown of the pages is served, ending with a slash. */
  readonly base: string
}

const summary =
  'Tusk is a task engine that lives in Postgres: SQL statements, JSON documents and TypeScript functions as background ' +
  'tasks, with schedules, limits, retries and leases, on nothing but PostgreSQL 14 to 18.'

/** The index for language models, as https://llmstxt.org describes it: a line per page with its first sentence. */
export function writeLlmsIndex({ groups, textOf, base }: LlmsInput): string {
  const sections = groups.map(({ text, pages }) => {
    const lines = pages.map(({ page }) => {
      const source = textOf(page)
      return `- [${titleOf(source)}](${base}${page}.md): ${firstSentence(source)}`
    })
    return `## ${text}\n\n${lines.join('\n')}`
  })
  return `# Tusk\n\n> ${summary}\n\n${sections.join('\n\n')}\n`
}

/** Every page in one text, in the order of the navigation. */
export function writeLlmsFull({ groups, textOf, base }: LlmsInput): string {
  const pages = groups.flatMap((group) => group.pages)
  const texts = pages.map(({ page }) => `<!-- ${base}${page}.md -->\n\n${textOf(page).trim()}`)
  return `> ${summary}\n\n${texts.join('\n\n')}\n`
}

function titleOf(source: string): string {
  return /^# (.*)$/m.exec(source)?.[1] ?? ''
}

/** Of the first paragraph that is neither heading nor comment nor table. */
function firstSentence(source: string): string {
  const paragraphs = source.split(/\n\s*\n/)
  const first = paragraphs.find((text) => /^[\w`*[]/.test(text.trim())) ?? ''
  const words = first
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^.{12,}?[.:?!](?=\s|$)/.exec(words)?.[0].replace(/:$/, '.') ?? words
}
