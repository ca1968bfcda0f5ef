import { expect, inject, test } from 'vitest'
import { House } from '../conformance/house.ts'
import { testRoles } from '../support/engine.ts'
import { Dice } from '../support/model.ts'
import { definitionOf, Judge, type Verdict } from './judge.ts'
import { mutants } from './list.ts'
import { type Mutant, mutated } from './mutant.ts'
import { places } from './places.ts'

const sample = Number(process.env['TUSK_MUTANTS_SAMPLE'] || mutants.length)
const seed = Number(process.env['TUSK_MUTANTS_SEED'] || 1)
const only = new RegExp(process.env['TUSK_MUTANTS_ONLY'] || '.')
const showsHow = process.env['TUSK_MUTANTS_VERBOSE'] === '1'
const lanes = Number(process.env['TUSK_MUTANTS_LANES'] || 2)

/** So many of them, the same ones for the same seed. */
function chosen(): readonly Mutant[] {
  const wanted = mutants.filter(({ id }) => only.test(id))
  if (sample >= wanted.length) return wanted
  const dice = new Dice(seed)
  const drawn = wanted.map((mutant) => ({ mutant, at: dice.next() }))
  return drawn
    .sort((a, b) => a.at - b.at)
    .slice(0, sample)
    .map(({ mutant }) => mutant)
}

const inWords = ({ mutant, outcome, by, how = '', tried }: Verdict) => {
  const more = outcome === 'survived' ? ` (after ${tried} scenarios)` : ` — ${by}`
  return `${outcome.padEnd(8)} ${mutant.id}${more}${showsHow ? ` — ${how}` : ''}`
}

test('no two mutants have the same name', () => {
  const names = mutants.map(({ id }) => id)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('every mutant finds its text, whichever of them are judged', async () => {
  const house = await House.open(inject('pgUrl'), testRoles)
  const invalid: string[] = []
  for (const mutant of mutants) {
    try {
      mutated(mutant, await definitionOf(house, mutant))
    } catch (error) {
      invalid.push(String(error))
    }
  }
  await house.close()
  expect(invalid).toEqual([])
})

test('every function that stores a task, or writes its history, has mutants of its properties', async () => {
  const house = await House.open(inject('pgUrl'), testRoles)
  const { rows } = await house.pool.query<{ name: string }>(
    `select distinct proname as name from pg_proc
     where pronamespace = any ($1::regnamespace[]) and prosrc ~ 'insert into (tasks|finished)\\M'`,
    [[house.schema, ...Object.values(house.dialects)]],
  )
  await house.close()
  // These copy whole rows, so they cannot forget a property.
  const wholeRows = ['cut_pack', 'split_kept_packs']
  const known = new Set([...places.map((place) => place.function), ...wholeRows])
  expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
})

test('every mutant is noticed by a scenario', { timeout: 7_200_000 }, async () => {
  const picked = chosen()
  const houses = await Promise.all(
    Array.from({ length: lanes }, () => House.open(inject('pgUrl'), testRoles)),
  )
  const verdicts = await new Judge().judgeAll(houses, picked, (verdict) => {
    process.stdout.write(`${inWords(verdict)}\n`)
  })
  for (const house of houses) await house.close()

  const count = (outcome: Verdict['outcome']) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length
  process.stdout.write(
    `\n${verdicts.length} of ${mutants.length} mutants: ${count('killed')} killed, ${count('survived')} survived, ${count('invalid')} invalid\n`,
  )
  expect(verdicts.filter(({ outcome }) => outcome !== 'killed').map(inWords)).toEqual([])
})
