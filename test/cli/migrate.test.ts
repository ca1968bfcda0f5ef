import { describe, expect, inject } from 'vitest'
import { type Said, terminal, tusk } from '../support/cli.ts'
import { test } from '../support/schema.ts'

/** Runs `tusk migrate …` with an environment of its own. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  return tusk(['migrate', ...args], { DATABASE_URL: inject('pgUrl'), ...env })
}

describe('tusk migrate', () => {
  test('up installs the engine and sums up, in words and as data', async ({ schema }) => {
    const { data, talk } = await run(['up', '--schema', schema.name, '--no-roles'])

    expect(JSON.parse(data)).toEqual({
      schema: schema.name,
      applied: expect.any(Number),
      removed: 0,
    })
    expect(talk).toMatch(new RegExp(`^Schema ${schema.name} at .* is up to date now: \\d+ applied`))
  })

  test('up again has nothing to apply', async ({ schema }) => {
    const env = { TUSK_SCHEMA: schema.name }
    await run(['up', '--no-roles'], env)

    const { data, talk } = await run(['up', '--no-roles'], env)

    expect(JSON.parse(data)).toMatchObject({ applied: 0, removed: 0 })
    expect(talk).toMatch(/is up to date\.\n$/)
  })

  test('up brings the dialects over the engine along', async ({ db, schema }) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema.name }
    const dialect = `${schema.name}_fq`
    await run(['up', '--no-roles'], env)
    await tusk(['dialect', 'install', 'fetchq', '--dialect-schema', dialect], env)
    try {
      // As if one of its functions had had another text before.
      await db.query(`update ${dialect}.installed set hash = 'old' where path = 'verbs/schema.sql'`)

      const { data, talk } = await run(['up', '--no-roles'], env)

      expect(JSON.parse(data)).toMatchObject({ applied: 0, removed: 0 })
      expect(talk).toContain(`Dialect fetchq in schema ${dialect} is up to date now: 1 applied.\n`)
      const again = await run(['up', '--no-roles'], env)
      expect(again.talk).not.toContain('Dialect')
    } finally {
      await db.query(`drop schema if exists ${dialect}, ${dialect}_data cascade`)
    }
  })

  test('list tells the state of each file', async ({ schema }) => {
    const { data } = await run(['list', '--schema', schema.name])

    expect(JSON.parse(data)[0]).toMatchObject({
      path: 'schema/access.sql',
      state: 'pending',
    })
  })

  test('sql prints a script that installs', async ({ db, schema }) => {
    const { data } = await run(['sql', '--schema', schema.name, '--no-roles'])

    await db.query(data)

    const { data: listed } = await run(['list', '--schema', schema.name, '--no-roles'])
    const states = (JSON.parse(listed) as { state: string }[]).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['applied']))
  })

  test('asks for a database when none is named and none runs', async () => {
    const nowhere = { DATABASE_URL: '', TUSK_HOME: '/nonexistent' }

    expect(await run(['up'], nowhere)).toMatchObject({
      code: 2,
      talk: expect.stringMatching(/^tusk: no database is configured.*\n.*DATABASE_URL/),
    })
  })

  test('up shows how far it has come on a terminal, and then one line', async ({ schema }) => {
    const env = { DATABASE_URL: inject('pgUrl'), NO_COLOR: '1' }

    const args = ['migrate', 'up', '--schema', schema.name, '--no-roles']
    const { code, data, talk } = await terminal(args, { env })

    expect(code).toBe(0)
    expect(talk).toMatch(/Applying [━─]+ \d+ % · \d+ of \d+/)
    expect(data).toBe('')
    expect(talk).not.toContain('.sql')
    expect(talk).toMatch(/is up to date now: \d+ applied\.\n$/)
  })
})
