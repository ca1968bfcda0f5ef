import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('error groups', () => {
  test('gather failures that say the same, whatever names and numbers are in them', async ({
    engine,
  }) => {
    const said = (message: string) => ({ name: 'Error', code: 'ETIMEDOUT', message })
    const first = await engine.running({ queue: 'mail' })
    await engine.kill(first, said('connect to 10.0.0.7:5432 took 31 ms for "ada"'))
    const last = await engine.running({ queue: 'mail' })
    await engine.fail(last, said("connect to 10.0.0.8:5432 took 1500 ms for 'bob'"))
    await engine.kill(await engine.running({ queue: 'post' }), said('connect refused'))

    await engine.rows('select roll_up()')

    expect(await engine.errorGroups({ queue: 'mail' })).toMatchObject([
      {
        code: 'ETIMEDOUT',
        message: 'connect to … took … ms for …',
        sample: "connect to 10.0.0.8:5432 took 1500 ms for 'bob'",
        count: 2,
        last_day: 2,
        last_task: last.id,
        reason: 'error',
      },
    ])
    expect(await engine.errorGroups()).toHaveLength(2)
    expect(await engine.rows('select from failures')).toEqual([])
  })

  test('are one for a failure that befalls many addresses', async ({ engine }) => {
    for (const name of ['ada', 'bob', 'cleo'])
      await engine.kill(await engine.running(), {
        message: `mailbox of ${name}@example.org is full`,
      })

    await engine.rows('select roll_up()')

    const groups = await engine.errorGroups()
    expect(groups).toMatchObject([{ message: 'mailbox of … is full', count: 3 }])
  })

  test('lead to their tasks', async ({ engine }) => {
    const reported = await engine.running()
    await engine.kill(reported, { code: 'E1', message: 'no account 7' })
    await engine.kill(await engine.running(), { code: 'E1', message: 'no such thing' })
    await engine.rows('select roll_up()')
    const group = (await engine.errorGroups()).find(({ message }) => message === 'no account …')

    const { tasks } = await engine.pageTasks({ error: group?.fingerprint })

    expect(tasks.map(({ id }) => id)).toEqual([reported.id])
    expect((await engine.pageTasks({ code: 'E1' })).tasks).toHaveLength(2)
  })

  test('count attempts that were lost as one, whichever worker lost them', async ({ engine }) => {
    for (const worker of ['w-one', 'w-two']) await engine.running({}, { worker })
    await engine.pass('1 minute')
    await engine.rescue()

    await engine.rows('select roll_up()')

    expect(await engine.errorGroups()).toMatchObject([{ code: 'lost', reason: 'lost', count: 2 }])
  })

  test('have tasks that expired, and failures that gave no error', async ({ engine }) => {
    const soon = await engine.enqueue({ queue: 'mail', deadline: new Date(Date.now() + 60_000) })
    await engine.pass('2 minutes', soon.id)
    await engine.expire()
    await engine.fail(await engine.running({ queue: 'post' }))
    await engine.kill(await engine.running({ queue: 'post' }), 'a bare text')

    await engine.rows('select roll_up()')

    const groups = await engine.errorGroups()
    expect(groups.map(({ code, message }) => [code, message]).sort()).toEqual([
      [null, ''],
      [null, 'a bare text'],
      ['expired', 'its deadline was over before it ran'],
    ])
  })

  test('are added to, and forgotten after a month of silence', async ({ engine }) => {
    const fail = async () =>
      engine.kill(await engine.running(), { code: 'E1', message: 'it broke' })
    await fail()
    await engine.rows('select roll_up()')
    await engine.pass('20 days')
    await fail()
    await engine.rows('select roll_up()')
    await engine.sweep()
    expect(await engine.errorGroups()).toMatchObject([{ count: 2, last_day: 1 }])

    await engine.pass('31 days')
    await engine.sweep()

    expect(await engine.errorGroups()).toEqual([])
    expect(await engine.rows('select from error_counts')).toEqual([])
  })
})

describe('normalize_message', () => {
  test.for([
    ['Timeout after 30000ms', 'Timeout after …ms'],
    [
      'duplicate key value violates unique constraint "users_pkey"',
      'duplicate key value violates unique constraint …',
    ],
    ["can't read it, won't try", "can't read it, won't try"],
    ['user 3f2504e0-4f89-41d3-9a0c-0305e82c3301 is gone', 'user … is gone'],
    ['at 0xDEADBEEF in commit 9fceb02d0ae598e95dc970b74767f19372d61af8', 'at … in commit …'],
    ['a decade defaced', 'a decade defaced'],
    ['took 1.5, 2:30 and 1,000', 'took …, … and …'],
    ['Timeout after 3600000ms', 'Timeout after …ms'],
    ['mailbox of ada.b+x@mail.example.org is full', 'mailbox of … is full'],
    ['<ada@example.org>: bounced', '<…>: bounced'],
    ['GET https://a.org/users/42?after=ada&x failed', 'GET https://a.org/users/…… failed'],
    ['late: 2026-11-16T07:43:00.660Z, 2026-11-16 07:43+00, 2026-11-16', 'late: …, …, …'],
    ['at 2026-11-16 07:43:00 UTC it broke', 'at … it broke'],
    ['no charge ch_3MmlLrLkdIwHu7ix0snN0B15', 'no charge …'],
    ['open /tmp/tmp.yBoKfh12W2/part-77.csv', 'open /tmp/tmp.…/part-….csv'],
    ['no relation orders_2026_11', 'no relation orders_…_…'],
    ['connect ::1:5432 and fe80::1ff:fe23:4567:890a', 'connect … and …'],
    ['why? std::vector of a@b', 'why? std::vector of a@b'],
  ] as const)('makes of %s: %s', async ([message, normal], { engine }) => {
    expect(await engine.value('select normalize_message($1)', message)).toBe(normal)
  })
})
