import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

describe('a group of limit 1, with several claimers', () => {
  test('starts its tasks in order, also while more come', async ({ engine, connect }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.rows('create table starts (place bigserial, task bigint)')
    const total = 600
    let ended = 0
    const batch = range(20).map(() => ({ queue: 'mail', groups: ['g'] }))
    const produce = async () => {
      for (const _ of range(total / batch.length)) await engine.enqueueMany(batch)
    }
    const consume = async () => {
      const client = await connect()
      while (ended < total) {
        const { rows } = await client.query(
          `select id, claim from claim('mail', p_limit => 5, p_worker => 'w')`,
        )
        for (const { id, claim } of rows) {
          await client.query('insert into starts (task) values ($1)', [id])
          await client.query('select complete($1, $2)', [id, claim])
          ended += 1
        }
      }
    }

    await Promise.all([produce(), ...range(3).map(consume)])

    const [row] = await engine.rows<{ starts: string[] }>(
      'select array_agg(task order by place) as starts from starts',
    )
    const starts = (row?.starts ?? []).map(Number)
    expect(starts).toEqual(starts.toSorted((one, other) => one - other))
  })
})
