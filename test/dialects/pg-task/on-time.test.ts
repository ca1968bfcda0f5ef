import { expect } from 'vitest'
import { until } from '../../support/until.ts'
import { test } from './support.ts'

/** Within how many milliseconds something is so. Generous: it was 10 to 50 seconds. */
async function within(isSo: () => Promise<boolean>): Promise<number> {
  const startedMs = Date.now()
  await until(isSo)
  return Date.now() - startedMs
}

test('a task past its active window is GONE, and a short lease free, soon after, while others run', async ({
  table,
  serve,
  engine,
}) => {
  await serve()
  const busy = await table.insert({ input: 'select pg_sleep(60)', group: 'busy' })
  await table.when(busy, 'WORK')

  const late = await table.insert({ input: 'select 1', group: 'busy', active: '1 second' })
  await engine.enqueue({ queue: 'pulled' })
  await engine.claim('pulled', { lease: '1 second' })

  const isGone = async () => (await table.row(late))?.state === 'GONE'
  const isFree = async () =>
    (await engine.rows(`select from task where queue = 'pulled' and state <> 'running'`)).length > 0
  const [goneMs, freeMs] = await Promise.all([within(isGone), within(isFree)])
  expect(goneMs).toBeLessThan(8_000)
  expect(freeMs).toBeLessThan(8_000)
  await table.rows(`update task set state = 'STOP' where id = $1`, busy)
})
