import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

interface Claimed {
  readonly id: string
  readonly claim: string
  readonly queue: string
}

const claimFrom = (engine: TestEngine, queues: readonly string[], limit = 100) =>
  engine.rows<Claimed>('select id, claim, queue from claim_queues($1, $2)', queues, limit)
const queuesOf = (tasks: readonly Claimed[]) => tasks.map(({ queue }) => queue)

describe('claim_queues', () => {
  test('keeps the rules of each queue', async ({ engine }) => {
    await engine.enqueueMany(
      ['open', 'paused', 'limited', 'limited', 'fair', 'fair'].map((queue) => ({ queue })),
    )
    await engine.pause('paused')
    await engine.setQueue('limited', { max_running: 1, max_attempts: 9 })
    await engine.setQueue('fair', { is_fair: true })

    const tasks = await claimFrom(engine, ['paused', 'limited', 'fair', 'open'])

    expect(queuesOf(tasks)).toEqual(['limited', 'fair', 'fair', 'open'])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('begins in the lanes of each queue where its hints say', async ({ engine }) => {
    await engine.enqueueMany(['a', 'b', 'b', 'c'].map((queue, n) => ({ queue, priority: n % 2 })))
    const claim = (queues: string, counts: string, priorities: string, later: string) =>
      engine.rows<Claimed>(
        `select queue, priority from claim_queues($1, 10, p_from_counts => $2, p_from_priorities => $3,
           p_from_times => array(select now() + given::interval from unnest($4::text[]) as given))`,
        queues,
        counts,
        priorities,
        later,
      )

    // a has lane 0, b lanes 1 and 0, c lane 1.
    const found = await claim('{a,b,c}', '{0,2,1}', '{1,0,1}', '{1 hour,-1 hour,1 hour}')

    expect(found).toEqual([
      { queue: 'a', priority: 0 },
      { queue: 'b', priority: 0 },
    ])
    expect(await claim('{b,c}', '{0,0}', '{}', '{}')).toHaveLength(2)
  })

  test('finds tasks that wait for nothing but a look, whatever the lanes hold', async ({
    engine,
  }) => {
    await engine.enqueueMany([
      { queue: 'a', runAt: new Date(Date.now() + 3_600_000), priority: 5 },
      { queue: 'a', priority: -3 },
      { queue: 'later', runAt: new Date(Date.now() + 3_600_000) },
    ])
    await engine.running({ queue: 'b', priority: 2 })
    await engine.enqueue({ queue: 'b', priority: 1 })

    expect(queuesOf(await claimFrom(engine, ['later', 'a', 'b']))).toEqual(['a', 'b'])
  })

  test.for([
    ['no queue', `'{}'`, 'claim needs the name'],
    ['null', 'null', 'claim needs the name'],
    ['a queue without a name', `'{mail,null}'`, 'names of queues'],
    ['all queues', `'{mail,*}'`, 'names of queues'],
    ['a list of lists', `'{{mail}}'`, 'name of one queue'],
    ['fewer than none', `'{mail}', -1`, 'the limit of a claim cannot be -1'],
    [
      'a hint without a time',
      `'{mail}', p_from_counts => '{1}', p_from_priorities => '{0}'`,
      'hints',
    ],
    [
      'more hints than queues have',
      `'{a,b}', p_from_counts => '{1,0}', p_from_priorities => '{0,0}', p_from_times => '{now,now}'`,
      'hints',
    ],
    [
      'a negative number of hints',
      `'{a,b}', p_from_counts => '{2,-1}', p_from_priorities => '{0}', p_from_times => '{now}'`,
      'hints',
    ],
  ] as const)('refuses %s', async ([, args, message], { engine }) => {
    await expect(engine.rows(`select * from claim_queues(${args})`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
  })
})
