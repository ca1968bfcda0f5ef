import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { allowedTexts, bannedWords, checkedPlaces } from './banned-words.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const written = /\.(ts|tsx|js|mjs|css|html|sql|md|sh|ya?ml|service)$|\/Dockerfile$/
/** Packages and builds are not ours, generated pages quote the source, and two files list the words. */
const skipped = [
  /\/(node_modules|dist|cache)$/,
  /^docs\/reference\/(sql|typescript|commands.md|configuration.md|http-routes.md)$/,
  /^test\/house\/(banned-words|words\.test)\.ts$/,
]

describe('the texts', () => {
  test.each(checkedPlaces)('of %s have no banned words', (place) => {
    const files = filesOf(place)

    expect(files.length).toBeGreaterThan(0)
    expect(
      files.flatMap((file) =>
        findBanned(file, withoutGenerated(readFileSync(root + file, 'utf8'))),
      ),
    ).toEqual([])
  })
})

describe('a banned word', () => {
  test.each([
    ['// The lease of whoever came first', 'a.ts:1: "whoever": write'],
    ['\n\n  refuse("this cannot be meant")', 'a.ts:3: "cannot be meant": write'],
    ['/**\n * Aborted when the client hung\n * up.\n */', 'a.ts:2: "hung up": write'],
    ['-- the table is no\n-- table of ours', 'a.ts:1: "is no table": write'],
    ['It is mended. Nobody knows.', 'a.ts:1: "mended": write'],
  ])('is found in: %j', (text, found) => {
    expect(findBanned('a.ts', text)).toContainEqual(expect.stringContaining(found))
  })

  test.each([
    ['select 1;\n-- whoever came first', 'a.sql:2: "whoever": write'],
    [`select refuse('TK004', 'it isn''t told')`, 'a.sql:1: "told": write'],
    [`-- the task's name\nselect 'nobody waits'`, 'a.sql:2: "nobody": write'],
  ])('is found in SQL: %j', (text, found) => {
    expect(findBanned('a.sql', text)).toContainEqual(expect.stringContaining(found))
  })

  test('is not found in a name of SQL', () => {
    const text = `select told.id, 'due' from unnest(p_ids) as told (id) -- by id\nwhere told.id > 0`

    expect(findBanned('a.sql', text)).toEqual([])
  })

  test.each([
    'tellRun(), v_told, toldTasks and recommended',
    'There is no worker. The task is no longer queued.',
    `by: z.enum(['bearer', 'nobody'])`,
    'It was no\n\nparagraph',
  ])('is not found in: %j', (text) => {
    expect(findBanned('a.ts', text)).toEqual([])
  })
})

describe('a generated part of a page', () => {
  const table = '<!-- generated: routes, by `npm` -->\nnobody\n<!-- end of generated -->'

  test('is not read, and what follows keeps its line', () => {
    expect(findBanned('a.md', withoutGenerated(`${table}\nsomebody`))).toEqual([
      expect.stringContaining('a.md:4: "somebody"'),
    ])
  })

  test('ends at its own end', () => {
    expect(findBanned('a.md', withoutGenerated(`${table}\ntold\n${table}`))).toHaveLength(1)
  })
})

/** Generated parts quote the source, where their words are checked. Line breaks stay, so that lines keep their numbers. */
function withoutGenerated(text: string): string {
  return text.replaceAll(/<!-- generated: .*?<!-- end of generated -->/gs, (part) =>
    part.replaceAll(/[^\n]/g, ' '),
  )
}

function filesOf(place: string): string[] {
  if (statSync(root + place).isFile()) return [place]
  return readdirSync(root + place)
    .map((name) => `${place}/${name}`)
    .filter(
      (path) =>
        !skipped.some((one) => one.test(path)) &&
        (written.test(path) || statSync(root + path).isDirectory()),
    )
    .flatMap(filesOf)
}

/** Each banned word of the text, as `file:line: "word": write …`. */
function findBanned(file: string, text: string): string[] {
  const prose = allowedTexts.reduce(
    (left, each) => left.replaceAll(each, blank),
    proseOf(file, text),
  )
  return bannedWords.flatMap(({ words, write }) => {
    const gap = '(?: |[ \\t]*\\n[ \\t]*(?:\\*|//|--|#|>)?[ \\t]*)'
    const form = new RegExp(`\\b(?:${words.source.replace(/ (?![)])/g, gap)})\\b`, 'gi')
    return Array.from(prose.matchAll(form), ({ 0: found, index }) => {
      const line = prose.slice(0, index).split('\n').length
      return `${file}:${line}: "${found.replace(/\s*\n\W*/, ' ')}": write ${write}`
    })
  })
}

/** Of SQL the comments and strings: the names of columns and aliases are not prose. */
function proseOf(file: string, text: string): string {
  if (!file.endsWith('.sql')) return text
  return text.replaceAll(
    /(--.*|'(?:[^']|'')*')|[^\n]/g,
    (one, prose?: string) => prose ?? blank(one),
  )
}

/** As long as before, so that the lines stay where they are. */
function blank(text: string): string {
  return ' '.repeat(text.length)
}
