import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { until } from '../../support/until.ts'
import { test } from './support.ts'

test('the statements of the article run as it says, in its order', async ({ table, serve }) => {
  await serve({ concurrency: 10 })
  const text = await readFile(
    new URL('../../../examples/pg-task/paper.sql', import.meta.url),
    'utf8',
  )
  // Nothing is shortened but the naps, so that the last of the groups gets its turn.
  const statements = text.replaceAll('pg_sleep(10)', 'pg_sleep(0.4)').replace('5 sec', '0.2 sec')
  await table.db.query(statements.replaceAll('-5000', '-100'))

  const waits = `state in ('PLAN', 'TAKE', 'WORK') and plan < now() + interval '1 minute'`
  let most: Record<string, number> = {}
  await until(async () => {
    const running = await table.rows<{ group: string; n: number }>(
      `select "group", count(*)::integer as n from task where state = 'WORK' group by 1`,
    )
    for (const { group, n } of running) most = { ...most, [group]: Math.max(most[group] ?? 0, n) }
    return (await table.rows(`select from task where ${waits}`)).length === 0
  })

  const rows = await table.rows<Record<string, unknown>>(
    `select id::integer as id, state::text as state, error is not null as failed, remote is not null as remote, parent
     from task order by id`,
  )
  const states = Object.fromEntries(rows.map(({ id, state }) => [String(id), state]))
  expect(states).toMatchObject({ 1: 'DONE', 2: 'FAIL', 3: 'FAIL', 4: 'FAIL', 5: 'PLAN', 6: 'PLAN' })
  // The repeated task has planned itself anew.
  expect(
    rows.filter(({ parent, state }) => String(parent) === '7' && state === 'PLAN'),
  ).toHaveLength(1)
  expect(await table.rows(`select error from task where id in (3, ${rows.length - 1})`)).toEqual([
    { error: expect.stringContaining('division by zero') },
    { error: expect.stringContaining('canceling statement due to statement timeout') },
  ])
  // Two at a time in each group; in the first one a third beside them.
  expect(most['one']).toBe(2)
  expect(most['two']).toBe(2)
  expect(most['group']).toBeLessThanOrEqual(3)
})
