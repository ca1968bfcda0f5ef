import type { Queryable } from '../../src/db/queryable.ts'
import { oddProperties } from './odd-properties.ts'
import { oddValuesOf } from './odd-values.ts'

/** A verb as the catalogue has it. */
export interface Verb {
  readonly name: string
  readonly parameters: readonly { readonly name: string; readonly type: string }[]
}

/** Verbs that run the SQL of their caller as the caller: any code may come of that. */
const runsText = ['run_effect']

/** The functions that are granted to this role itself. */
export async function verbsOf(db: Queryable, role: string): Promise<Verb[]> {
  const { rows } = await db.query<{ name: string; names: string[]; types: string[] }>(
    `select distinct proname as name, oid::regprocedure::text,
            coalesce(proargnames[:pronargs], '{}') as names,
            array(select format_type(given.oid, null)
                  from unnest(proargtypes::oid[]) with ordinality as given (oid, place)
                  order by place) as types
     from pg_proc, aclexplode(proacl)
     where pronamespace = quote_ident(current_schema())::regnamespace and grantee = $1::regrole
       and prokind = 'f' and proname <> all ($2)
     order by 2`,
    [role, runsText],
  )
  return rows.map(({ name, names, types }) => ({
    name,
    parameters: types.map((type, place) => ({ name: names[place] ?? '', type })),
  }))
}

/** What is sensible for each parameter, by its name or by verb and name; null where it is not said. */
export type Sensible = Readonly<Record<string, string>>

/** A call that is odd somewhere, and where. */
export interface OddCall {
  readonly text: string
  readonly label: string
}

/**
 * Calls of a verb with one argument odd and the others sensible, and with all of them null. An
 * object of settings is odd in one of its properties as well.
 */
export function oddCallsOf(verb: Verb, sensible: Sensible): OddCall[] {
  const usual = usualOf(verb, sensible)
  const nulls = verb.parameters.map(({ type }) => `null::${type}`)
  const calls = [callOf(verb, usual, 'as usual'), callOf(verb, nulls, 'with nulls alone')]
  verb.parameters.forEach(({ name, type }, place) => {
    const properties = oddProperties(`${verb.name}(${name})`, usual[place] ?? '')
    for (const value of [...oddValuesOf(type), ...properties]) {
      calls.push(callOf(verb, usual.with(place, value), `${name} => ${value}`))
    }
  })
  return calls
}

/** Calls of a verb with several arguments odd at once, the same for the same seed. */
export function mixedCallsOf(verb: Verb, sensible: Sensible, count: number): OddCall[] {
  const usual = usualOf(verb, sensible)
  const random = randomNumbers(verb.name)
  const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)] ?? 'null'
  return Array.from({ length: verb.parameters.length > 1 ? count : 0 }, () => {
    const values = verb.parameters.map(({ type }, place) =>
      random() < 0.5 ? (usual[place] ?? 'null') : pick(oddValuesOf(type)),
    )
    return callOf(verb, values, values.map((value) => value.slice(0, 60)).join(', '))
  })
}

function usualOf(verb: Verb, sensible: Sensible): string[] {
  return verb.parameters.map(
    ({ name, type }) => sensible[`${verb.name}(${name})`] ?? sensible[name] ?? `null::${type}`,
  )
}

/** Numbers from 0 to 1 that look random (mulberry32). */
function randomNumbers(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function callOf(verb: Verb, values: readonly string[], label: string): OddCall {
  const given = verb.parameters.map(({ name }, place) => `${name} => ${values[place]}`)
  return {
    text: `select * from ${verb.name}(${given.join(', ')})`,
    label: `${verb.name}: ${label.slice(0, 200)}`,
  }
}
