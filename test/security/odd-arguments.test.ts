import type pg from 'pg'
import { expect } from 'vitest'
import { test, testRoles } from '../support/engine.ts'
import { furnish, sensible, variations } from '../support/furnished.ts'
import { mixedCallsOf, oddCallsOf, type Verb, verbsOf } from '../support/odd-calls.ts'

/**
 * The engine's own codes. Every literal is valid for its type, so no other code is expected: not
 * even those of input conversion, which a caller's own typing error would get (22P02, 22007).
 */
const own = /^TK\d{3}$/

test.for(['producer', 'worker', 'operator', 'admin'])(
  'answers odd arguments to every verb of a %s with a code of its own',
  { timeout: 900_000 },
  async (role, { engine, connect }) => {
    await furnish(engine)
    const client = await connect()
    await client.query(`set role ${testRoles}_admin; create temporary table rows (id integer)`)

    const verbs = await verbsOf(client, `${testRoles}_${role}`)
    const raw: string[] = []
    for (const call of verbs.flatMap(callsOf)) {
      const error = await errorOf(client, call.text)
      if (error !== undefined && !own.test(error.code ?? '')) {
        raw.push(`${call.label}: ${error.code} ${error.message.slice(0, 100)}`)
      }
    }

    expect(verbs.length).toBeGreaterThan(3)
    expect(raw).toEqual([])
  },
)

function callsOf(verb: Verb) {
  return [
    ...variations
      .filter(({ verbs }) => verbs?.test(verb.name) ?? true)
      .flatMap((variation) => oddCallsOf(verb, variation.sensible)),
    ...mixedCallsOf(verb, sensible, 40),
  ]
}

/** What a call is answered with; nothing of it stays. */
async function errorOf(client: pg.Client, call: string): Promise<pg.DatabaseError | undefined> {
  try {
    await client.query(`begin; set local statement_timeout = '2min'; ${call}`)
    return undefined
  } catch (error) {
    return error as pg.DatabaseError
  } finally {
    await client.query('rollback')
  }
}
