import pg from 'pg'
import type { House } from '../conformance/house.ts'
import { type Case, casesOf, type DoorName } from '../conformance/scenario.ts'
import { scenarios } from '../conformance/scenarios/index.ts'
import { type Mutant, mutated } from './mutant.ts'

/** What became of a mutant. */
export interface Verdict {
  readonly mutant: Mutant
  readonly outcome: 'killed' | 'survived' | 'invalid'
  /** The scenario that noticed it, or what is wrong with the mutant. */
  readonly by: string
  /** What the scenario said. */
  readonly how?: string
  readonly tried: number
}

type Found = Omit<Verdict, 'mutant'> & { readonly killer?: Case }

const cases = casesOf(scenarios)
const usualDoors: readonly DoorName[] = ['single', 'bulk']

/** Judges mutants in houses, one in each at a time. Scenarios that have killed a mutant of the same function go first. */
export class Judge {
  readonly #killers = new Map<string, Case[]>()

  async judgeAll(
    houses: readonly House[],
    mutants: readonly Mutant[],
    tell: (verdict: Verdict) => void,
  ): Promise<Verdict[]> {
    const waiting = [...mutants]
    const verdicts: Verdict[] = []
    await Promise.all(
      houses.map(async (house) => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const verdict = await this.#judge(house, next)
          verdicts.push(verdict)
          tell(verdict)
        }
      }),
    )
    return verdicts
  }

  async #judge(house: House, mutant: Mutant): Promise<Verdict> {
    let definition: string
    try {
      definition = await definitionOf(house, mutant)
      await define(house, mutant, mutated(mutant, definition))
    } catch (error) {
      return { mutant, outcome: 'invalid', by: messageOf(error), tried: 0 }
    }
    let found: Found
    try {
      found = await this.#hunt(house, mutant)
    } finally {
      await define(house, mutant, definition)
    }
    const { killer, ...rest } = found
    if (killer === undefined) return { mutant, ...rest }
    // A scenario that fails without the mutant too has noticed nothing.
    const fault = await faultOf(house, killer)
    if (fault === undefined) return { mutant, ...rest }
    const by = `${killer.name} fails without the mutant too: ${messageOf(fault)}`
    return { mutant, outcome: 'invalid', by, tried: rest.tried }
  }

  async #hunt(house: House, mutant: Mutant): Promise<Found> {
    let tried = 0
    for (const one of this.#inOrder(mutant)) {
      tried += 1
      const fault = await faultOf(house, one)
      if (fault === undefined) continue
      if (isBrokenSql(fault)) {
        return { outcome: 'invalid', by: `${messageOf(fault)} in ${one.name}`, tried }
      }
      this.#remember(mutant, one)
      return { killer: one, outcome: 'killed', by: one.name, how: messageOf(fault), tried }
    }
    return { outcome: 'survived', by: '', tried }
  }

  /** The scenarios that may notice a mutant, the likeliest first. */
  #inOrder(mutant: Mutant): Case[] {
    const { about, doors = usualDoors } = mutant
    const shared = ({ scenario }: Case) =>
      scenario.about.filter((one) => about.includes(one)).length
    const fitting = cases
      .filter((one) => doors.includes(one.door) || one.scenario.doors === 'one')
      .map((one) => ({ one, weight: shared(one) / Math.max(one.scenario.about.length, 1) }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight)
      .map(({ one }) => one)
    return [...new Set([...(this.#killers.get(mutant.function) ?? []), ...fitting])]
  }

  #remember(mutant: Mutant, killer: Case): void {
    const known = this.#killers.get(mutant.function) ?? []
    const rest = known.filter((one) => one !== killer)
    this.#killers.set(mutant.function, [killer, ...rest].slice(0, 12))
  }
}

async function faultOf(house: House, { scenario, door }: Case): Promise<unknown> {
  const world = await house.enter(door)
  try {
    await scenario.run(world)
    return undefined
  } catch (error) {
    return error
  }
}

/** SQLSTATE class 42: the mutant is not SQL, so that no scenario need notice it. */
function isBrokenSql(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const cause = error instanceof Error ? error.cause : undefined
  return code.startsWith('42') || (cause !== undefined && isBrokenSql(cause))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

/** Writes a function anew. The functions of a dialect name types of their own schema. */
async function define(house: House, { home = 'engine' }: Mutant, text: string): Promise<void> {
  const own = home === 'engine' ? [] : [house.dialects[home]]
  const path = [...own, house.schema].map((name) => pg.escapeIdentifier(name)).join(', ')
  await house.pool.query(`set local search_path = ${path}; ${text}`)
}

/** The text of the function that a mutant is one of. */
export async function definitionOf(
  house: House,
  { function: name, takes, home = 'engine' }: Mutant,
) {
  const schema = home === 'engine' ? house.schema : house.dialects[home]
  const { rows } = await house.pool.query<{ text: string }>(
    `select pg_get_functiondef(oid) as text from pg_proc
     where pronamespace = $1::regnamespace and proname = $2 and ($3::int is null or pronargs = $3)`,
    [schema, name, takes ?? null],
  )
  if (rows.length === 1 && rows[0] !== undefined) return rows[0].text
  throw new Error(`there are ${rows.length} functions ${name}() in ${home}; retarget test/mutants`)
}
