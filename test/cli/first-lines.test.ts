import { describe, expect } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { query } from '../support/home.ts'
import { linesUnder, test } from '../support/new-project.ts'
import { until } from '../support/until.ts'

describe('what tusk start and tusk demo propose to try', () => {
  test.for(['start', 'demo'])(
    '%s: each line ends in something done',
    async (command, { project, home }) => {
      const server = project.start([command])
      await server.says('Ctrl-C stops.')
      const url = (await findRunning(home))?.url ?? ''
      const lines = linesUnder('Try it', server.talk)
      const lastDone = async () => {
        const rows = await query(
          url,
          `select coalesce(max(id), 0)::int as id from tusk.task
         where state = 'done' and (queue = 'hello_tusk' or payload ->> 'sql' = 'select now()')`,
        )
        return Number(rows[0]?.['id'])
      }

      for (const line of lines) {
        const before = await lastDone()
        // Where there is no psql, the line is a statement for any client.
        if (line.startsWith('select ')) await query(url, line.replace(/ {2}--.*/, ''))
        else expect(await project.shell(line)).not.toBe('')
        await until(async () => (await lastDone()) > before)
      }

      expect(lines).toEqual([
        expect.stringContaining('curl http://127.0.0.1:'),
        expect.stringContaining('npx tusk task add hello_tusk'),
        expect.stringContaining("npx tusk sql 'select now()' --wait"),
        expect.stringContaining('tusk.enqueue('),
      ])
      const outputs = `select distinct output from tusk.task where queue = 'hello_tusk'`
      expect(await query(url, outputs)).toEqual([{ output: 'Hello, Ada!' }])
      expect(await server.stop()).toBe(0)
    },
  )

  test('demo: the line to watch shows queues', async ({ project }) => {
    const server = project.start(['demo'])
    await server.says('Ctrl-C stops.')
    const [line = ''] = linesUnder('Watch', server.talk)

    expect(line).toMatch(/npx tusk stats --watch$/)
    expect(await project.shell(`${line} | head -n 1`)).toContain('"queue"')
  })
})

describe('two tusk start in one project', () => {
  test('share Postgres, which stops with the last of them', async ({ project, home }) => {
    const first = project.start(['start'])
    await first.says('Ctrl-C stops.')
    const second = project.start(['start'])
    await second.says('Ctrl-C stops.')
    const line = `npx tusk sql 'select 42 as answer' --wait`

    expect(await first.stop()).toBe(0)
    expect(first.talk).toContain('Postgres keeps running: another program uses it')
    expect(await project.shell(line)).toContain('42')
    expect(await second.stop()).toBe(0)
    expect(second.talk).toContain('Postgres is stopped.')
    expect(await findRunning(home)).toBeUndefined()
  })
})
