import { expect } from 'vitest'
import type { TestEngine } from '../../support/test-engine.ts'
import type { Scenario, World } from '../scenario.ts'

interface Claimed {
  readonly id: string
  readonly claim: string
  readonly queue: string
  readonly size: number
}

/** Names several queues in one call. */
const claimFrom = (engine: TestEngine, queues: readonly string[], limit = 100) =>
  engine.rows<Claimed>('select id, claim, queue, size from claim_queues($1, $2)', queues, limit)

const queuesOf = (tasks: readonly Claimed[]) => tasks.map(({ queue }) => queue)

/** Does something while another transaction holds the row of a group. */
async function whileHeld<T>({ pool }: World, group: string, work: () => Promise<T>): Promise<T> {
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from groups where name = $1 for update', [group])
    return await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

/** What claim_queues() promises of several queues; what it promises of one is in the other scenarios. */
export const claimingQueues: readonly Scenario[] = [
  {
    name: 'claim_queues takes the line of a full group along, which hands its slot from task to task',
    about: ['claim', 'limit'],
    doors: ['queues'],
    run: async ({ engine }) => {
      const slots = () => engine.value(`select running from groups where name = 'g'`)
      await engine.setGroup('g', { max_running: 1 })
      await engine.enqueueMany(
        [0, 1, 2, 3, 4, 5].map((payload) => ({ queue: 'a', groups: ['g'], payload })),
      )
      await engine.enqueueMany([{ queue: 'b' }, { queue: 'b' }])
      const text = 'select id, claim, payload, follows from claim_queues($1, $2, p_line => $3)'
      const [first, second, third, ...others] = await engine.rows<
        Claimed & { readonly payload: number; readonly follows: boolean }
      >(text, ['a', 'b'], 2, 2)
      expect([first, second, third].map((task) => [task?.payload, task?.follows])).toEqual([
        [0, false],
        [1, true],
        [2, true],
      ])
      expect(others).toHaveLength(1)
      expect(await slots()).toBe(1)
      await engine.completeMany([first].filter((task) => task !== undefined))
      expect(await slots()).toBe(1)
      expect(await engine.value(`select state from task where id = $1`, second?.id)).toBe('running')
      expect(await engine.value(`select state from task where id = $1`, third?.id)).toBe('blocked')
      await engine.release([third].filter((task) => task !== undefined))
      expect(await slots()).toBe(1)
      await engine.completeMany([second].filter((task) => task !== undefined))
      expect(await slots()).toBe(0)
      expect(await engine.rows(text, ['a'], 5, 0)).toMatchObject([{ payload: 2 }])
    },
  },
  {
    name: 'claim_queues goes by the order of the names, up to one limit',
    about: ['claim'],
    doors: ['queues'],
    run: async ({ engine }) => {
      await engine.enqueueMany(
        ['a', 'b', 'c', 'a', 'b', 'c'].map((queue, n) => ({ queue, priority: n - 3 })),
      )
      expect(queuesOf(await claimFrom(engine, ['b', 'empty', 'a'], 3))).toEqual(['b', 'b', 'a'])
      expect(queuesOf(await claimFrom(engine, ['c', 'b', 'a']))).toEqual(['c', 'c', 'a'])
      expect(await claimFrom(engine, ['a', 'b', 'c'])).toEqual([])
    },
  },
  {
    name: 'claim_queues gives each queue a claim of its own',
    about: ['claim', 'lease'],
    doors: ['queues'],
    run: async ({ engine }) => {
      await engine.enqueueMany([{ queue: 'a' }, { queue: 'b' }, { queue: 'b' }])
      const tasks = await claimFrom(engine, ['a', 'b'])
      expect(await engine.rows('select id, queue, open from claims order by queue')).toEqual([
        { id: tasks[0]?.claim, queue: 'a', open: 1 },
        // One row for both: they were enqueued together.
        { id: tasks[1]?.claim, queue: 'b', open: 2 },
      ])
      expect(tasks.map(({ size }) => size)).toEqual([1, 2])
      const second = { id: String(Number(tasks[1]?.id) + 1), claim: tasks[1]?.claim ?? '' }
      expect(await engine.completeMany([...tasks, second])).toHaveLength(3)
      expect(await engine.rows('select from claims')).toEqual([])
    },
  },
  {
    name: 'claim_queues leaves nothing of a fair queue for which there is room',
    about: ['claim', 'limit'],
    doors: ['queues'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { is_fair: true })
      const groups = ['a', 'a', 'a', 'a', 'a', 'b', 'c']
      await engine.enqueueMany(groups.map((group) => ({ queue: 'mail', groups: [group] })))
      // Three groups share eight places: two each.
      expect(await claimFrom(engine, ['mail', 'post'], 8)).toHaveLength(7)
    },
  },
  {
    name: 'claim_queues lets back in what a group is owed, also when no queue has a due task',
    about: ['claim', 'limit'],
    doors: ['queues'],
    run: async ({ engine, pool }) => {
      await engine.setGroup('g', { max_running: 1 })
      const first = await engine.running({ groups: ['g'] })
      await engine.enqueue({ queue: 'mail', groups: ['g'] })
      expect(await claimFrom(engine, ['mail', 'post'])).toEqual([])
      const holder = await pool.connect()
      await holder.query('begin')
      await holder.query(`select from tasks where parked_on = 'g' for update`)
      await engine.complete(first)
      await holder.query('commit')
      holder.release()
      expect(await claimFrom(engine, ['mail', 'post'])).toEqual([])
      expect(await claimFrom(engine, ['mail', 'post'])).toHaveLength(1)
    },
  },
  {
    name: 'claim_queues passes over a held group while another queue has tasks, and rings',
    about: ['claim', 'limit'],
    doors: ['queues'],
    run: async (world) => {
      const { engine, heard } = world
      await engine.setGroup('g', { max_running: 5 })
      await engine.enqueueMany([{ queue: 'held', groups: ['g'] }, { queue: 'free' }])
      await engine.rows(`select sleep('w', '{held,free}')`)
      await whileHeld(world, 'g', async () => {
        expect(queuesOf(await claimFrom(engine, ['held', 'free']))).toEqual(['free'])
        expect(await heard('ready')).toEqual(['held'])
      })
      expect(queuesOf(await claimFrom(engine, ['held', 'free']))).toEqual(['held'])
    },
  },
  {
    name: 'claim_queues waits for a held group when nothing else can start',
    about: ['claim', 'limit'],
    doors: ['queues'],
    run: async (world) => {
      const { pool, engine } = world
      await engine.setGroup('g', { max_running: 5 })
      await engine.enqueue({ queue: 'held', groups: ['g'] })
      const session = await pool.connect()
      const worker = engine.on(session)
      const hurries = `select coalesce(current_setting('tusk.hurries_until', true), '')`
      expect(await worker.value(hurries)).toBe('')
      await whileHeld(world, 'g', async () => {
        expect(await claimFrom(worker, ['free', 'held'])).toEqual([])
      })
      // What is left in a session that has waited in vain.
      expect(await worker.value(hurries)).not.toBe('')
      expect(queuesOf(await claimFrom(worker, ['free', 'held']))).toEqual(['held'])
      session.release(true)
    },
  },
]
