import { filterQualifiers, parseFilterQuery, quoted, wordsOf } from '../../lib/filter-query.ts'

/** A filter as the API takes it, in a query as in a body. */
export type TaskFilter = Readonly<Record<string, string | readonly string[]>>

/** What the address asks for as people type it: `?q=queue:mail`; links may name one each: `?queue=mail`. */
export function queryOf(address: URLSearchParams): string {
  const named = [...address].flatMap(([name, value]) =>
    Object.hasOwn(filterQualifiers, name) ? [`${name}:${quoted(value)}`] : [],
  )
  return [...named, address.get('q') ?? ''].join(' ').trim()
}

/** The filter of a query; refuses one that says nothing we know. */
export function filterOf(query: string, now?: Date): TaskFilter {
  const { states, ...filter } = parseFilterQuery(query, now)
  return states === undefined ? filter : { ...filter, state: states }
}

/** A query with more said: what is said anew takes the place of what was said before. */
export function withWords(query: string, more: string): string {
  const added = [...wordsOf(more)]
  return sourceOf(query, (name) => !added.some((word) => word.name === name), more.trim())
}

/** A query without a name; without text if there is none. */
export function withoutName(query: string, gone: string | undefined): string {
  return sourceOf(query, (name) => name !== gone)
}

function sourceOf(
  query: string,
  keeps: (name: string | undefined) => boolean,
  ...more: string[]
): string {
  const kept = [...wordsOf(query)].filter(({ name }) => keeps(name))
  return [...kept.map(({ source }) => source), ...more].join(' ')
}

/** What a query says under each name, for chips; text has none. */
export function saidIn(query: string): ReadonlyMap<string | undefined, string> {
  const said = new Map<string | undefined, string>()
  for (const { name, value } of wordsOf(query)) {
    const before = said.get(name)
    said.set(name, before === undefined ? value : `${before} ${value}`)
  }
  return said
}
