import { expect } from 'vitest'
import { emptySchema } from '../../src/testing/empty-schema.ts'
import { test } from '../support/engine.ts'

test('puts back every default of queues', async ({ engine, db, schema }) => {
  const defaults = `select to_jsonb(queues) from queues where name = '*'`
  const installed = await engine.value(defaults)
  await engine.setQueue('*', {
    ...{ max_attempts: 2, max_payload: 1000, keep_done: '1 day', keep_failed: '1 day' },
    ...{ keep_cancelled: '1 day', backoff: { kind: 'none' }, on_lost: 'fail', timeout: '1 hour' },
    ...{ sql_max_rows: 7, sql_max_bytes: 7000, packs: false, group_max_running: 3 },
  })
  expect(await engine.value(defaults)).not.toEqual(installed)

  await emptySchema(db, schema)

  expect(await engine.value(defaults)).toEqual(installed)
})
