import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'

describe('upsert', () => {
  const upsert = `select * from fetchq.doc_upsert('q1', 'a', 7, 5, now() - interval '1 day', '{"new": true}')`

  test('pushes what is new', async ({ fetchq }) => {
    await fetchq.queue('q1')

    expect(await fetchq.row(upsert)).toEqual({ queued_docs: 1, updated_docs: 0 })
  })

  test.for([
    ['planned', 0],
    ['pending', 1],
    ['completed', 3],
    ['killed', -1],
  ] as const)('changes a %s document, and not its status', async ([name, status], { fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(
      `select fetchq.doc_push('q1', 'a', '{}', now() + $1::interval)`,
      name === 'planned' ? '1 day' : '0',
    )
    if (name === 'completed' || name === 'killed') {
      await fetchq.pick('q1')
      await fetchq.rows(`select fetchq.doc_${name === 'killed' ? 'kill' : 'complete'}('q1', 'a')`)
    }

    expect(await fetchq.row(upsert)).toEqual({ queued_docs: 0, updated_docs: 1 })

    expect(
      await fetchq.row(
        'select status, version, priority, payload, next_iteration < now() as is_due from fetchq_data.q1__docs',
      ),
    ).toEqual({ status, version: 0, priority: 5, payload: { new: true }, is_due: true })
  })

  test('leaves an active document alone', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')

    expect(await fetchq.row(upsert)).toEqual({ queued_docs: 0, updated_docs: 0 })
  })
})
