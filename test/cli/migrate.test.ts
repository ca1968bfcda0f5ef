import { Command } from 'commander'
import { describe, expect, inject } from 'vitest'
import { migrateCommand } from '../../src/cli/commands/migrate.ts'
import type { Io } from '../../src/cli/io.ts'
import { test } from '../support/schema.ts'

interface Said {
  readonly data: string
  readonly talk: string
}

/** Runs `tusk migrate …` with an environment of its own. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  const data: string[] = []
  const talk: string[] = []
  const io: Io = {
    stdout: { write: (text) => data.push(text) },
    stderr: { write: (text) => talk.push(text) },
    env: { DATABASE_URL: inject('pgUrl'), ...env },
    stopRequested: () => Promise.resolve(),
  }
  const program = new Command('tusk').addCommand(migrateCommand(io))
  await program.parseAsync(['migrate', ...args], { from: 'user' })
  return { data: data.join(''), talk: talk.join('') }
}

describe('tusk migrate', () => {
  test('up installs the engine, lists the files as data and sums up as talk', async ({
    schema,
  }) => {
    const { data, talk } = await run(['up', '--schema', schema.name, '--no-roles'])

    expect(data).toMatch(/^migrations\/0001_tasks\.sql\n/)
    expect(talk).toMatch(new RegExp(`^Schema ${schema.name} at .* is up to date now: \\d+ applied`))
  })

  test('up again gives no data', async ({ schema }) => {
    const env = { TUSK_SCHEMA: schema.name }
    await run(['up', '--no-roles'], env)

    const { data, talk } = await run(['up', '--no-roles'], env)

    expect(data).toBe('')
    expect(talk).toMatch(/is up to date\.\n$/)
  })

  test('list tells the state of each file', async ({ schema }) => {
    const { data } = await run(['list', '--schema', schema.name])

    expect(data.split('\n')[0]).toMatch(/^pending +- +migrations\/0001_tasks\.sql$/)
  })

  test('sql prints a script that installs', async ({ db, schema }) => {
    const { data } = await run(['sql', '--schema', schema.name, '--no-roles'])

    await db.query(data)

    const { data: listed } = await run(['list', '--schema', schema.name, '--no-roles'])
    expect(
      new Set(
        listed
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0]),
      ),
    ).toEqual(new Set(['applied']))
  })

  test('asks for a database when none is named and none runs', async () => {
    const nowhere = { DATABASE_URL: '', TUSK_HOME: '/nonexistent' }

    await expect(run(['up'], nowhere)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('DATABASE_URL'),
    })
  })
})
