import { expect } from 'vitest'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

test('a worker that could not register its chores tries until it has', async ({
  engine,
  connect,
  work,
  said,
}) => {
  const candidates = 'select count(*)::int from workers where cardinality(chores) > 0'
  await work({ tasks: { mail: () => {} } })
  await until(async () => (await engine.value(candidates)) === 1)
  const inTheWay = engine.on(await connect())
  await inTheWay.rows('begin')
  await inTheWay.rows('lock table chores in access exclusive mode')
  await work({ tasks: { mail: () => {} } })
  await until(async () => said.some((line) => line.startsWith('the database is gone')))
  // Else the server would do it late, for nobody.
  const ended = await engine.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where wait_event_type = 'Lock' and query like '%' || current_schema() || '%register_chores(%'`,
  )
  expect(ended).toHaveLength(1)

  await inTheWay.rows('rollback')
  await until(async () => (await engine.value(candidates)) === 2)
})
