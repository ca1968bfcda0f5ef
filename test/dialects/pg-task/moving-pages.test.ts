import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { tusk } from '../../support/cli.ts'
import { inOwnDatabase } from '../../support/own-database.ts'

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** The commands of a page, in its order, but for the one that goes on until it is stopped. */
async function commandsOf(page: string): Promise<string[]> {
  const commands = [...(await read(page)).matchAll(/npx tusk ([^`\n]+)/g)]
  return commands.map(([, command = '']) => command.trim()).filter((one) => one !== 'start')
}

test('the pages on moving from pg_task and pg_background do what they say', async () => {
  await inOwnDatabase('fetchq', async ({ name, connect }) => {
    const DATABASE_URL = new URL(`/${name}`, inject('pgUrl')).href
    const client = await connect()
    const said: string[] = []
    const run = async (command: string) => {
      const { code, talk } = await tusk(command.split(' '), { DATABASE_URL })
      expect({ command, code, talk }).toMatchObject({ code: 0 })
      said.push(talk)
    }

    await client.query(await read('test/fixtures/pg-task-2.1.sql'))
    const inputs = 'select id, input, output from public.task order by id'
    const before = (await client.query(inputs)).rows
    const moving = await commandsOf('docs/dialects/moving-from-pg-task.md')
    expect(moving.filter((command) => command.includes('--table public.task'))).toHaveLength(3)
    for (const command of moving) {
      await run(command)
      expect((await client.query(inputs)).rows).toEqual(before)
    }
    expect(said.join('')).toMatch(
      /Nothing was changed.*is a task table now.*is an ordinary table again/s,
    )

    const background = 'docs/dialects/moving-from-pg-background.md'
    for (const command of await commandsOf(background)) await run(command)
    const [, sql = ''] = /```sql\n([^`]+)```/.exec(await read(background)) ?? []
    const statements = sql.replace('drop extension', 'drop extension if exists')
    await client.query(statements.replace('database app', `database ${name}`))
    const fresh = await connect()
    for (const call of ['pg_background_launch', 'public.pg_background_launch'])
      expect((await fresh.query(`select ${call}('select 1') > 0 as launched`)).rows).toEqual([
        { launched: true },
      ])
  })
})
