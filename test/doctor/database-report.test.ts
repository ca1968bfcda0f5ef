import { describe, expect } from 'vitest'
import { databaseReport } from '../../src/doctor/database-report.ts'
import { test } from '../support/engine.ts'
import { until } from '../support/until.ts'

describe('the report on a database', () => {
  test('tells of the server, its sessions, the tables and the migrations', async ({
    db,
    schema,
  }) => {
    const report = await databaseReport(db, { schema })

    expect(report.server).toMatchObject({ is_standby: false, version: expect.any(String) })
    expect(report.connections.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0)
    expect(report.relations.tables.map(({ name }) => name)).toContain('tasks')
    expect(report.relations.indexes.every(({ is_valid }) => is_valid)).toBe(true)
    expect(new Set(report.migrations.map(({ state }) => state))).toEqual(new Set(['applied']))
    expect(report.warnings.map(({ level }) => level)).not.toContain('ok')
    expect(report.unseen).toEqual([])
  })

  test('shows who waits for a lock, and who holds it', async ({ db, schema, connect }) => {
    const [holder, waiter] = [await connect(), await connect()]
    await holder.query('begin')
    await holder.query('lock table queues in access exclusive mode')
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
    const waiting = waiter.query('select from queues')
    const waits = async () =>
      (await db.query("select from pg_locks where not granted and relation = 'queues'::regclass"))
        .rowCount !== 0
    await until(waits)

    // Without the checks that would read the table that is locked.
    const { locks, transactions } = await databaseReport(db, { schema, only: [] })
    await holder.query('rollback')
    await waiting

    // Tests in other schemas of the same database wait for locks of their own.
    expect(locks.waiting).toContainEqual(
      expect.objectContaining({
        relation: expect.stringContaining('queues'),
        blocked_by: [rows[0]?.pid],
      }),
    )
    expect(locks.held).toContainEqual({
      relation: 'queues',
      mode: 'AccessExclusiveLock',
      held: 1,
    })
    expect(transactions.map(({ pid }) => pid)).toContain(rows[0]?.pid)
  })
})
