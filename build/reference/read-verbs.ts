import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type Comment, readComment } from './comment-blocks.ts'

export interface Argument {
  readonly name: string
  readonly type: string
  /** The expression that stands for one that is left out; null for an argument that is required. */
  readonly fallback: string | null
}

export interface Verb {
  readonly name: string
  /** The folder of sql/verbs that it stands in. */
  readonly noun: string
  readonly comment: Comment
  readonly overloads: readonly {
    readonly args: readonly Argument[]
    readonly answer: string
    readonly columns: readonly Omit<Argument, 'fallback'>[]
    /** The lowest of the four roles that may call it; null when none may. */
    readonly role: string | null
  }[]
  readonly errors: readonly string[]
}

interface Row {
  readonly name: string
  readonly names: readonly string[] | null
  readonly types: readonly string[]
  readonly modes: readonly string[] | null
  readonly fallbacks: readonly (string | null)[]
  readonly answer: string
  readonly is_procedure: boolean
  readonly roles: readonly string[]
  readonly source: string
}

/** Every function of an installed engine; the search path is its schema. */
const query = `
  select proname as name, proargnames as names, proargmodes::text[] as modes, prosrc as source,
         array(select format_type(type, null) from unnest(coalesce(proallargtypes, proargtypes::oid[])) as type) as types,
         array(select pg_get_function_arg_default(p.oid, n)
               from generate_series(1, cardinality(coalesce(proallargtypes, proargtypes::oid[]))) as n) as fallbacks,
         coalesce(pg_get_function_result(p.oid), '') as answer, prokind = 'p' as is_procedure,
         array(select role from unnest(array['producer', 'worker', 'operator', 'admin']) with ordinality as r (role, place)
               where has_function_privilege($1 || role, p.oid, 'execute') order by place) as roles
  from pg_proc as p
  where pronamespace = current_schema()::regnamespace
  order by proname, pronargs, proargtypes`

/** The verbs of sql/verbs, as an installed engine has them. `rolePrefix` is what the names of its roles begin with. */
export async function readVerbs(root: string, db: pg.Pool, rolePrefix: string): Promise<Verb[]> {
  const { rows } = await db.query<Row>(query, [rolePrefix])
  const raised = readErrors(rows)
  return verbFiles(root).map(({ name, noun, text }) => ({
    name,
    noun,
    comment: readComment(text),
    overloads: rows.filter((row) => row.name === name).map(overloadOf),
    errors: [...(raised.get(name) ?? [])].sort(),
  }))
}

function verbFiles(root: string): { name: string; noun: string; text: string }[] {
  const folder = join(root, 'sql/verbs')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const [noun = '', name = ''] = file.slice(0, -'.sql'.length).split('/')
      return { name, noun, text: readFileSync(join(folder, file), 'utf8') }
    })
}

function overloadOf(row: Row): Verb['overloads'][number] {
  const all = row.types.map((type, n) => ({
    name: row.names?.[n] ?? `$${n + 1}`,
    type: shortType(type),
    mode: row.modes?.[n] ?? 'i',
    fallback: shortDefault(row.fallbacks[n] ?? null),
  }))
  return {
    args: all
      .filter(({ mode }) => 'ibv'.includes(mode))
      .map(({ name, type, fallback }) => ({ name, type, fallback })),
    columns: all
      .filter(({ mode }) => 'otb'.includes(mode))
      .map(({ name, type }) => ({ name, type })),
    answer: row.is_procedure ? 'procedure' : shortType(row.answer),
    role: row.roles[0] ?? null,
  }
}

function shortType(type: string): string {
  return type.replaceAll('timestamp with time zone', 'timestamptz')
}

/** Without the cast that Postgres adds to a constant. */
function shortDefault(expression: string | null): string | null {
  return (
    expression?.replace(/^NULL::.*$/, 'null').replace(/^('[^']*'|\d+)::[\w ]+(\[\])?$/, '$1') ??
    null
  )
}

/** The SQLSTATEs that each function raises, itself or through the functions that it calls. */
function readErrors(rows: readonly Row[]): Map<string, Set<string>> {
  const names = new Set(rows.map(({ name }) => name))
  const calls = new Map<string, Set<string>>()
  const raised = new Map<string, Set<string>>()
  for (const { name, source } of rows) {
    const body = source.replaceAll(/--.*$/gm, '')
    const called = wordsIn(body, /\b([a-z_]+)\s*\(/g).filter((word) => names.has(word))
    addTo(calls, name, called)
    addTo(raised, name, wordsIn(body, /'(TK(?!999)\d+)'/g))
  }
  // Once more as long as anything was added: calls may go in circles.
  while (spread(calls, raised)) {}
  return raised
}

/** What a function calls raises, it raises too. Gives whether that added anything. */
function spread(
  calls: ReadonlyMap<string, ReadonlySet<string>>,
  raised: Map<string, Set<string>>,
): boolean {
  const count = () => [...raised.values()].reduce((sum, { size }) => sum + size, 0)
  const before = count()
  for (const [name, called] of calls) {
    for (const each of called) addTo(raised, name, [...(raised.get(each) ?? [])])
  }
  return count() > before
}

function addTo(sets: Map<string, Set<string>>, name: string, words: readonly string[]): void {
  sets.set(name, new Set([...(sets.get(name) ?? []), ...words]))
}

function wordsIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, word = '']) => word)
}
