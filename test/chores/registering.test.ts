import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

test('a worker that could not register its chores tries until it has', async ({
  engine,
  connect,
  work,
}) => {
  const candidates = 'select count(*)::int from workers where cardinality(chores) > 0'
  await work({ tasks: { mail: () => {} } })
  await until(async () => (await engine.value(candidates)) === 1)
  const inTheWay = engine.on(await connect())
  await inTheWay.rows('begin')
  await inTheWay.rows('lock table chores in access exclusive mode')
  await work({ tasks: { mail: () => {} } })
  const waiting = `select count(*)::int from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%' || current_schema() || '%register_chores(%'`
  await until(async () => (await engine.value(waiting)) === 1)
  // The server gives it up before the worker does: otherwise it would be done late, for no caller.
  await until(async () => (await engine.value(waiting)) === 0)

  await inTheWay.rows('rollback')
  await until(async () => (await engine.value(candidates)) === 2)
})
