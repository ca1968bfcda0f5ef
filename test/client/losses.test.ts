import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { test } from '../support/client.ts'

describe('connections that are cut all the time', () => {
  test('never lose a task that was acknowledged, and never store one twice', async ({
    open,
    engine,
    connect,
    schema,
  }) => {
    const pool = new pg.Pool({ connectionString: inject('pgUrl'), application_name: schema })
    pool.on('error', () => {})
    const tusk = await open({ database: pool })
    const axe = await connect()
    const fates = new Map<number, string>()
    const over = new AbortController()

    const callers = Array.from({ length: 20 }, async (_, caller) => {
      for (let payload = caller; payload < 2_000; payload += 20) {
        const fate = tusk.enqueueTask({ queue: 'mail', payload })
        fates.set(
          payload,
          await fate.then(
            ({ id }) => id,
            (error: { code: string }) => error.code,
          ),
        )
      }
    })
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await axe.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
          [schema],
        )
      }
    })()
    await Promise.all(callers)
    over.abort()
    await cutting

    const stored = await engine.rows<{ id: string; payload: number }>(
      'select id, payload from task',
    )
    const idByPayload = new Map(stored.map(({ id, payload }) => [payload, id]))
    expect(idByPayload.size).toBe(stored.length)
    const broken = Array.from(fates).filter(([payload, fate]) =>
      /^\d+$/.test(fate)
        ? idByPayload.get(payload) !== fate
        : fate !== 'outcome_unknown' && idByPayload.has(payload),
    )
    expect(broken).toEqual([])
    expect(new Set(fates.values())).toContain('outcome_unknown')
    await tusk.close()
    await pool.end()
  })
})
