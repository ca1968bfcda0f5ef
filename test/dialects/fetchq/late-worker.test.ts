import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'

describe('a worker that lost a document', () => {
  const actions = {
    complete: `select fetchq.doc_complete('q1', 'a')`,
    kill: `select fetchq.doc_kill('q1', 'a')`,
    drop: `select fetchq.doc_drop('q1', 'a')`,
    reject: `select fetchq.doc_reject('q1', 'a', 'no', '{}')`,
    reschedule: `select fetchq.doc_reschedule('q1', 'a', now())`,
  }

  test.for(Object.keys(actions) as (keyof typeof actions)[])(
    'may not %s it in a later round',
    async (name, { fetchq, connect }) => {
      const late = await connect({ application_name: 'late' })
      const next = await connect({ application_name: 'next' })
      await fetchq.queue('q1', 'a')
      await late.pick('q1', '1m')
      await fetchq.pass('2 minutes')
      await fetchq.engine.rescue()
      await next.pick('q1')
      await next.rows(`select fetchq.doc_reschedule('q1', 'a', now() - interval '1 second')`)
      await next.pick('q1')

      expect(await late.value(actions[name])).toBe(0)

      expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 2, attempts: 1, iterations: '1' })
      expect(await next.value(actions[name])).toBe(1)
    },
  )

  test('may not complete it after it died and was brought back', async ({ fetchq, connect }) => {
    const [late, next] = [await connect(), await connect()]
    await fetchq.queue('q1', 'a')
    await fetchq.rows(`select fetchq.queue_set_max_attempts('q1', 1)`)
    await late.pick('q1', '1m')
    await fetchq.pass('2 minutes')
    await fetchq.rows(`select fetchq.mnt_mark_dead('q1', 10)`)
    await fetchq.rows(`select fetchq.doc_play('q1', 'a')`)
    await next.pick('q1')

    expect(await late.value(actions.complete)).toBe(0)

    expect(await next.value(actions.complete)).toBe(1)
  })

  test('may complete it when it got it again', async ({ fetchq, connect }) => {
    const late = await connect({ application_name: 'late' })
    await fetchq.queue('q1', 'a')
    await late.pick('q1', '1m')
    await fetchq.pass('2 minutes')
    await fetchq.engine.rescue()
    await late.pick('q1')
    await late.rows(`select fetchq.doc_reschedule('q1', 'a', now() - interval '1 second')`)
    await late.pick('q1')

    expect(await late.value(actions.complete)).toBe(1)
  })
})
