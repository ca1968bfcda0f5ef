import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readSqlFiles } from '../../src/db/sql-files.ts'
import { packagedSql, sqlFolder } from '../../src/db/sql-source.ts'
import { type TestSchema, test } from '../support/schema.ts'
import type { SqlTree } from '../support/sql-directory.ts'

/** Lines of `sha256sum`; written with the first release. */
const released = join(sqlFolder(), 'schema', 'RELEASED')

/** What this version installs. */
async function thisVersion(): Promise<SqlTree> {
  const files = await readSqlFiles(packagedSql)
  return Object.fromEntries(files.map(({ path, text }) => [path, text]))
}

/** The tables of the first release, and nothing over them. */
async function baselineTables(): Promise<SqlTree> {
  const files = Object.entries(await thisVersion())
  return Object.fromEntries(files.filter(([path]) => path.startsWith('schema/')))
}

/** A release later: one more migration, and a verb, a part and a view that were changed for it. */
async function nextVersion(): Promise<SqlTree> {
  const now = await thisVersion()
  return {
    ...now,
    'migrations/9999_color.sql': `alter table tasks add column color text not null default 'grey';`,
    'verbs/tasks/complete.sql': `${now['verbs/tasks/complete.sql']}\n-- changed`,
    'core/end.sql': `${now['core/end.sql']}\n-- changed`,
    'views/next.sql': 'create view task_color as select id, color from tasks;',
  }
}

async function insertRows(schema: TestSchema): Promise<void> {
  const rows = await readFile(new URL('../fixtures/baseline-rows.sql', import.meta.url), 'utf8')
  await schema.query(`set search_path = :s; ${rows}; reset search_path`)
}

function states(schema: TestSchema): Promise<object[]> {
  return schema.query('select id::int, state, payload, output from :s.task order by id')
}

const rowsThere = [
  { id: 1, state: 'ready', payload: { to: 'ann' }, output: null },
  { id: 2, state: 'running', payload: { to: 'bob' }, output: null },
  { id: 3, state: 'done', payload: { to: 'cho' }, output: { sent: true } },
]

/** Ends the running task, runs the waiting one, rejects its key meanwhile, and fires the schedule. */
async function work(schema: TestSchema): Promise<void> {
  const again = await schema.value(
    `select outcome from :s.enqueue('mail', '{}', 'send', p_key => 'welcome 1')`,
  )
  expect(again).not.toBe('created')
  await schema.query(`select :s.complete(2, 1, '"sent"')`)
  expect(await schema.value('select count(*)::int from :s.claims')).toBe(0)
  const [held] = await schema.query<{ id: string; claim: string }>(
    `select id, claim from :s.claim('mail')`,
  )
  expect(held?.id).toBe('1')
  await schema.query('select :s.complete($1, $2)', [held?.id, held?.claim])
  expect(await schema.value('select processed from :s.fire()')).toBe(1)

  expect(
    await schema.query('select id::int, state from :s.task where id <= 3 order by id'),
  ).toEqual([1, 2, 3].map((id) => ({ id, state: 'done' })))
  expect(await schema.query(`select queue from :s.task where id > 3`)).toEqual([
    { queue: 'reports' },
  ])
}

describe('an upgrade', () => {
  test('from the tables of the first release keeps their rows, which work', async ({ schema }) => {
    await schema.upgrade(await baselineTables())
    await insertRows(schema)

    await schema.upgrade(await thisVersion())

    expect(await states(schema)).toEqual(rowsThere)
    await work(schema)
  })

  test('to a version with one more migration and changed functions keeps the rows', async ({
    schema,
  }) => {
    await schema.upgrade(await thisVersion())
    await insertRows(schema)

    const { applied, removed } = await schema.upgrade(await nextVersion())

    expect(new Set(applied)).toEqual(
      new Set([
        'migrations/9999_color.sql',
        'verbs/tasks/complete.sql',
        'core/end.sql',
        'views/next.sql',
      ]),
    )
    expect(removed).toEqual([])
    expect(await states(schema)).toEqual(rowsThere)
    expect(await schema.query('select * from :s.task_color where id = 1')).toEqual([
      { id: '1', color: 'grey' },
    ])
    await work(schema)
  })
})

describe('the baseline', () => {
  test.skipIf(!existsSync(released))('is as it was released', async () => {
    const files = Object.entries(await baselineTables()).map(
      ([path, text]) =>
        `${createHash('sha256').update(text).digest('hex')}  ${path.replace('schema/', '')}`,
    )

    const then = (await readFile(released, 'utf8')).trim().split('\n')

    expect(files, 'the baseline is released; put the change into sql/migrations').toEqual(then)
  })
})
