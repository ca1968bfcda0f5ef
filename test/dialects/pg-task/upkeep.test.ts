import { expect } from 'vitest'
import type { ChoreContext } from '../../../src/chores/chore.ts'
import { pgTaskUpkeep } from '../../../src/dialects/pg-task/upkeep.ts'
import { until } from '../../support/until.ts'
import { type TaskTable, test } from './support.ts'

/** One round of the chore, which comes every second. */
function upkeep({ db, engineSchema }: TaskTable) {
  const chore = pgTaskUpkeep(engineSchema)
  expect(chore.everyMs).toBeLessThanOrEqual(1_000)
  return chore.run({ db, batch: 100 } as unknown as ChoreContext)
}

test('a task past its time is GONE while its group is busy', async ({ table, engine }) => {
  await table.insert({ input: 'select 1' })
  const busy = await engine.claimOne(table.queue)
  const id = await table.insert({ input: 'select 2', active: '1 ms' })
  expect(await engine.claim(table.queue)).toEqual([])

  expect(await upkeep(table)).toEqual({ processed: 1 })

  expect(await table.row(id)).toMatchObject({ state: 'GONE', error: 'ERROR:  task not active' })
  await engine.complete(busy, { results: [] })
})

test('the end of a task whose row was held is written when the row is free', async ({
  table,
  engine,
  connect,
}) => {
  const id = await table.insert({ input: 'x', delete: false })
  const holder = await connect()
  await holder.query(`begin; update ${table.schema}.task set data = 'held' where id = ${id}`)
  await engine.complete(await engine.claimOne(table.queue), { results: [] })
  await upkeep(table)
  expect(await table.row(id)).toMatchObject({ state: 'PLAN' })

  await holder.query('commit')
  await until(async () => (await upkeep(table))?.processed === 1)

  expect(await table.row(id)).toMatchObject({ state: 'DONE', data: 'held' })
})
