import { TuskError } from './errors.ts'
import { nearestWord } from './nearest-word.ts'
import { parseExactTime } from './parse-exact-time.ts'

/**
 * A query for tasks as people type it, such as `queue:mail state:failed,cancelled "no such host"`, and the filter that
 * it stands for. The command line and the dashboard share this parser, so it also runs in a browser.
 */

/** The conditions of page_tasks() and count_tasks() that a query can express. */
export interface FilterOfQuery {
  queue?: string
  states?: string[]
  key?: string
  handler?: string
  kind?: string
  tag?: string
  group?: string
  host?: string
  worker?: string
  /** A fingerprint, as error groups show it. */
  error?: string
  /** The code of the error, such as a SQLSTATE. */
  code?: string
  reason?: string
  submitted_by?: string
  parent?: string
  created_before?: string
  created_after?: string
  run_before?: string
  run_after?: string
  finished_before?: string
  finished_after?: string
  ids?: string[]
  /** A part of the payload, the error's message or the SQL. */
  text?: string
}

type Name = keyof FilterOfQuery

export interface Qualifier {
  readonly filter: Name
  readonly about: string
  /** The allowed values, if they are limited. */
  readonly values?: readonly string[]
  /** It may have several values, separated by commas or repeated. */
  readonly many?: true
  readonly read?: (value: string, now: Date) => string
}

const states = 'waiting scheduled retrying blocked ready running done failed cancelled'.split(' ')
const reasons = 'error timeout lost rejected killed expired aborted dependency'.split(' ')

/** The words before a colon, and what they search for. */
export const filterQualifiers: Readonly<Record<string, Qualifier>> = {
  queue: { filter: 'queue', about: 'the queue it waits in' },
  state: { filter: 'states', about: 'where it stands', values: states, many: true },
  key: { filter: 'key', about: 'its key' },
  handler: { filter: 'handler', about: 'the code that runs it' },
  kind: { filter: 'kind', about: 'who performs it', values: ['handler', 'sql', 'document'] },
  tag: { filter: 'tag', about: 'one of its tags' },
  group: { filter: 'group', about: 'one of its groups' },
  host: { filter: 'host', about: 'the machine it runs or ran on' },
  worker: { filter: 'worker', about: 'the worker that runs or ran it' },
  error: { filter: 'error', about: 'the fingerprint of its error' },
  code: { filter: 'code', about: 'the code of its error' },
  reason: { filter: 'reason', about: 'why it did not succeed', values: reasons },
  by: { filter: 'submitted_by', about: 'who enqueued it' },
  before: { filter: 'created_before', about: 'enqueued before then', read: readTime },
  after: { filter: 'created_after', about: 'enqueued since then', read: readTime },
  run_before: { filter: 'run_before', about: 'due before then', read: readTime },
  run_after: { filter: 'run_after', about: 'due since then', read: readTime },
  finished_before: { filter: 'finished_before', about: 'ended before then', read: readTime },
  finished_after: { filter: 'finished_after', about: 'ended since then', read: readTime },
  parent: { filter: 'parent', about: 'the id of its parent', read: readId },
  id: { filter: 'ids', about: 'its id', many: true, read: readId },
}

/** Parses a query. `now` is what `before:2h` counts from. Throws `invalid_argument`. */
export function parseFilterQuery(query: string, now: Date = new Date()): FilterOfQuery {
  const filter: Partial<Record<Name, string | string[]>> = {}
  const text: string[] = []
  for (const { name, value } of wordsOf(query)) {
    if (name === undefined) text.push(value)
    else take(filter, name, value, now)
  }
  if (text.length > 0) filter.text = text.join(' ')
  return filter as FilterOfQuery
}

/** Formats a filter as a query. Parsing it returns the same filter. */
export function formatFilterQuery(filter: FilterOfQuery): string {
  const parts = Object.entries(filterQualifiers).flatMap(([name, qualifier]) => {
    const value = filter[qualifier.filter]
    if (value === undefined) return []
    const values = typeof value === 'string' ? [value] : value
    return values.length === 0 ? [] : [`${name}:${values.map(quoted).join(',')}`]
  })
  return [...parts, ...(filter.text === undefined ? [] : [quotedText(filter.text)])].join(' ')
}

export interface Word {
  readonly name?: string
  /** The value: for a name as typed, with its quotes; for text without them. */
  readonly value: string
  /** As it was typed. */
  readonly source: string
}

/** A name, a colon and a value; or text. Text in quotes keeps its spaces, `\"` is a quote. */
const word = /(?:([a-z_]+):)?((?:"(?:[^"\\]|\\.)*"?|[^\s"])*)/giy

/** Splits a query at spaces, whether the names are known or not. */
export function* wordsOf(query: string): Generator<Word> {
  const gap = /\s*/y
  for (let at = 0; ; ) {
    gap.lastIndex = at
    gap.exec(query)
    word.lastIndex = gap.lastIndex
    if (word.lastIndex >= query.length) return
    const [source, name, value = ''] = word.exec(query) ?? ['']
    at = word.lastIndex
    const said =
      name === undefined ? { value: unquote(value) } : { name: name.toLowerCase(), value }
    yield { ...said, source }
  }
}

function take(
  filter: Partial<Record<Name, string | string[]>>,
  name: string,
  given: string,
  now: Date,
): void {
  const qualifier = Object.hasOwn(filterQualifiers, name) ? filterQualifiers[name] : undefined
  if (qualifier === undefined) throw unknownName(name, given)
  const values = (qualifier.many ? splitList(given) : [given])
    .map(unquote)
    .map((value) => checked(name, qualifier, value, now))
  const known = filter[qualifier.filter]
  // Pushed instead of copied: copying would make a query with many words quadratic.
  if (Array.isArray(known)) known.push(...values)
  else if (known !== undefined) throw twice(name)
  else filter[qualifier.filter] = qualifier.many ? values : (values[0] ?? '')
}

function checked(name: string, { values, read }: Qualifier, value: string, now: Date): string {
  if (value === '') throw refusal(`${name}: has no value`, `Write ${name}:… without a blank.`)
  if (values !== undefined && !values.includes(value)) throw notAmong(name, value, values)
  return read === undefined ? value : read(value, now)
}

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const span = /^(in )?(\d{1,6}) ?(?:([smhdw])|(second|minute|hour|day|week)s?)( ago)?$/i

/** A day in UTC, a time with an offset, a time relative to now, or the last midnight here. */
function readTime(value: string, now: Date): string {
  const [, ahead, count, letter, word = ''] = span.exec(value) ?? []
  if (count !== undefined) {
    const far = Number(count) * (units[(letter ?? word.charAt(0)).toLowerCase()] ?? 0)
    return new Date(now.getTime() + (ahead === undefined ? -far : far)).toJSON()
  }
  if (value === 'today') return new Date(new Date(now).setHours(0, 0, 0, 0)).toJSON()
  const time = parseExactTime(value)
  if (time !== null) return time
  throw refusal(
    `${value} is not a time`,
    'Write 2026-11-16, 2026-11-16T09:00:00+01:00, today, or how long ago: 2h, "7 days ago".',
  )
}

function readId(value: string): string {
  if (/^\d{1,19}$/.test(value)) return value
  throw refusal(`${value} is not the id of a task`, 'An id is a whole number.')
}

function splitList(given: string): string[] {
  const parts = given.match(/(?:^|,)(?:"(?:[^"\\]|\\.)*"?|[^,"])*/g) ?? []
  return parts.map((part) => part.replace(/^,/, ''))
}

/** Removes the quotes from a value. */
export function unquote(value: string): string {
  return value.replaceAll(/"((?:[^"\\]|\\.)*)"?/g, (_, inner: string) =>
    inner.replaceAll(/\\(.)/g, '$1'),
  )
}

/** Quotes a value if it needs quotes. */
export function quoted(value: string): string {
  return /[\s",\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}

/** Text that would be read as a qualifier is quoted as a whole. */
function quotedText(value: string): string {
  return /[":\\]|\s\s|^\s|\s$/.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}

function unknownName(name: string, value: string): TuskError {
  const names = Object.keys(filterQualifiers)
  const near = nearestWord(name, names)
  const meant = near === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${near}:?`
  return refusal(
    `unknown filter ${name}:`,
    `${meant} To look for it as text, quote it: "${name}:${value.replaceAll('"', '')}".`,
  )
}

function notAmong(name: string, value: string, values: readonly string[]): TuskError {
  const near = nearestWord(value, values)
  const meant = near === undefined ? '' : `Did you mean ${near}? `
  return refusal(`there is no ${name} ${value}`, `${meant}It is one of ${values.join(', ')}.`)
}

function twice(name: string): TuskError {
  return refusal(`${name}: is given twice`, 'A task must match everything that is given.')
}

function refusal(message: string, hint: string): TuskError {
  return new TuskError('invalid_argument', message, { hint })
}
