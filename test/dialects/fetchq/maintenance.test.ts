import { describe, expect } from 'vitest'
import type { ChoreContext } from '../../../src/chores/chore.ts'
import type { Queryable } from '../../../src/db/queryable.ts'
import { fetchqMaintenance } from '../../../src/dialects/fetchq/maintenance.ts'
import { testRoles } from '../../support/engine.ts'
import { test } from '../../support/fetchq.ts'

const said: string[] = []
const silent = () => {}
const log = {
  debug: silent,
  info: silent,
  error: silent,
  warn: (_: object, message: string) => void said.push(message),
}

function run(db: Queryable, engineSchema: string) {
  const { signal } = new AbortController()
  const transaction: ChoreContext['transaction'] = (work) => work(db)
  const context: ChoreContext = { db, signal, term: 1n, worker: 'w', batch: 100, transaction, log }
  return fetchqMaintenance(engineSchema).run(context)
}

describe('the chore of a server', () => {
  test('packs the counters without any client of Fetchq', async ({ fetchq, db, schemas }) => {
    await fetchq.queue('q1', 'a', 'b')
    await fetchq.pick('q1')

    const result = await run(db, schemas.engine)

    expect(result?.processed).toBeGreaterThan(0)
    expect(await fetchq.rows('select * from fetchq.metrics_writes')).toEqual([])
    expect(await fetchq.row(`select * from fetchq.metric_get_common('q1')`)).toMatchObject({
      ent: 2,
      cnt: 2,
      pnd: 1,
      act: 1,
      pkd: 1,
    })
  })

  test('needs no more than the role of a worker', async ({ fetchq, schemas, connect }) => {
    await fetchq.queue('q1', 'a')
    const session = await connect()
    await session.client.query(`set role ${testRoles}_worker`)

    await run(session.client, schemas.engine)

    expect(await fetchq.rows('select * from fetchq.metrics_writes')).toEqual([])
  })

  test('leaves dialects over other engines alone', async ({ fetchq, db }) => {
    await fetchq.queue('q1', 'a')

    expect(await run(db, 'another')).toEqual({ processed: 0 })

    expect(await fetchq.rows('select * from fetchq.metrics_writes')).not.toEqual([])
  })

  test('says what fails, and goes on', async ({ fetchq, db, schemas }) => {
    await fetchq.queue('q1', 'a')
    const failing: Queryable = {
      query: (text, values) =>
        text.includes('mnt_job_run') ? Promise.reject(new Error('no')) : db.query(text, values),
    }

    expect(await run(failing, schemas.engine)).toEqual({ processed: 0 })

    expect(said).toContain('maintenance of documents failed')
  })
})
