import { describe, expect } from 'vitest'
import { test as base } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

type InZone = (zone: string) => Promise<TestEngine>

/** The engine on a connection that lives in another time zone. */
const test = base.extend<{ inZone: InZone }>({
  inZone: async ({ engine, connect }, use) => {
    await use(async (zone) => {
      const client = await connect()
      await client.query(`select set_config('timezone', $1, false)`, [zone])
      return engine.on(client)
    })
  },
})

const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati']
const at = new Date('2100-03-14T12:34:56.789Z')

describe('in any time zone', () => {
  test.for(zones)('%s: a task for a time waits for that time', async (zone, { inZone }) => {
    const there = await inZone(zone)

    const { id } = await there.enqueue({ queue: 'mail', runAt: at })

    expect(await there.task(id)).toMatchObject({ state: 'scheduled', run_at: at })
    expect(await there.value(`select sleep('w', '{mail}')`)).toEqual(at)
  })

  test.for(zones)('%s: a task for now is due now', async (zone, { engine, inZone }) => {
    const there = await inZone(zone)

    await there.enqueue({ queue: 'mail' })

    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test.for(zones)('%s: leases, backoff and retention last as long', async (zone, { inZone }) => {
    const there = await inZone(zone)
    await there.setQueue('mail', { keep_failed: '36 hours' })
    const task = await there.running({ maxAttempts: 2 })

    await there.pass('16 seconds', task.id)
    expect(await there.rescue()).toHaveLength(1)
    await there.fail(await there.claimOne('mail'))
    expect(
      await there.value(`select extract(epoch from keep_until - finished_at)::integer from task`),
    ).toBe(36 * 3_600)
  })

  test('days of finished are those of UTC, whichever session prepares them', async ({ inZone }) => {
    const bounds = `
      select pg_get_expr(relpartbound, oid) as days from pg_class
      where relpartbound is not null and relnamespace = current_schema()::regnamespace
        and relname <> 'finished_default'
      order by 1`
    const utc = await inZone('UTC')
    const far = await inZone('Pacific/Kiritimati')

    await far.sweep()
    const prepared = await utc.rows<{ days: string }>(bounds)
    await utc.sweep()

    expect(prepared.map(({ days }) => days)).toEqual([
      expect.stringContaining('00:00:00+00'),
      expect.stringContaining('00:00:00+00'),
    ])
    expect(await utc.rows(bounds)).toEqual(prepared)
  })

  test('the text of a time is read as the zone of the speaker says', async ({ inZone }) => {
    const kathmandu = await inZone('Asia/Kathmandu')

    await kathmandu.rows(
      `select enqueue_many('[{"queue": "mail", "run_at": "2100-01-01 05:45"}]'::jsonb)`,
    )

    expect(await kathmandu.value('select run_at from task')).toEqual(new Date('2100-01-01T00:00Z'))
  })
})
