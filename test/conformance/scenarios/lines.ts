import { expect } from 'vitest'
import { farAhead } from '../samples.ts'
import type { Scenario } from '../scenario.ts'

/** Tasks that wait in line for their group while they are enqueued and replaced. */
export const lines: readonly Scenario[] = [
  {
    name: 'a task of a group without room waits in its line',
    about: ['store', 'limit'],
    run: async ({ engine }) => {
      await engine.setGroup('g', { max_running: 0 })
      const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'] })
      expect(await engine.rows('select parked_on from tasks')).toEqual([{ parked_on: 'g' }])
      await engine.setGroup('g', { max_running: 1 })
      expect(await engine.claimOne('mail')).toMatchObject({ id })
    },
  },
  {
    name: 'a task that is put off by a duplicate lets the next in line move up',
    about: ['key', 'limit'],
    run: async ({ engine }) => {
      await engine.setGroup('g', { max_running: 1 })
      const given = { queue: 'mail', groups: ['g'] }
      const [, second] = await engine.enqueueMany([{ ...given, key: 'k' }, given])
      expect(await engine.rows('select parked_on from tasks order by id')).toEqual([
        { parked_on: null },
        { parked_on: 'g' },
      ])
      await engine.enqueue({ ...given, key: 'k', onDuplicate: 'replace', runAt: farAhead })
      expect(await engine.claimOne('mail')).toMatchObject({ id: second?.id })
    },
  },
  {
    name: 'a task that a duplicate changes leaves its line',
    about: ['key', 'limit'],
    run: async ({ engine }) => {
      await engine.setGroup('g', { max_running: 1 })
      const given = { queue: 'mail', groups: ['g'] }
      await engine.enqueueMany([given, { ...given, key: 'k' }])
      expect(await engine.value(`select parked_on from tasks where key = 'k'`)).toBe('g')
      await engine.enqueue({ ...given, key: 'k', onDuplicate: 'replace', priority: 9 })
      expect(await engine.value(`select parked_on from tasks where key = 'k'`)).toBeNull()
      expect(await engine.claimOne('mail')).toMatchObject({ key: 'k' })
    },
  },
  ...['mail', '*'].map(
    (name): Scenario => ({
      name: `group_max_running of ${name === '*' ? 'all queues' : 'a queue'} is the limit of groups that have none`,
      about: ['claim', 'limit'],
      run: async ({ engine }) => {
        await engine.setQueue(name, { group_max_running: 1 })
        const given = { queue: 'mail', groups: ['g'] }
        await engine.enqueue(given)
        await engine.enqueue(given)
        expect(await engine.claim('mail', { limit: 2 })).toHaveLength(1)
        expect(await engine.claim('mail')).toEqual([])
      },
    }),
  ),
  {
    name: 'max_payload of all queues is the limit of queues that have none',
    about: ['store'],
    run: async ({ engine }) => {
      await engine.setQueue('*', { max_payload: 1000 })
      const large = { payload: Array.from({ length: 900 }, (_, at) => at) }
      await expect(engine.enqueue({ queue: 'mail', ...large })).rejects.toMatchObject({
        code: 'payload_too_large',
      })
      await engine.setQueue('mail', { max_payload: 100_000 })
      expect(await engine.enqueue({ queue: 'mail', ...large })).toMatchObject({
        outcome: 'created',
      })
    },
  },
  ...(['complete', 'reschedule'] as const).map(
    (verb): Scenario => ({
      name: `${verb} frees the slot of a task in its group, where its queue has no limit`,
      about: ['limit', 'end', 'reschedule'],
      run: async ({ engine }) => {
        await engine.setGroup('g', { max_running: 1 })
        const task = await engine.running({ groups: ['g'] })
        if (verb === 'complete') await engine.complete(task)
        else await engine.reschedule(task, farAhead)
        expect(await engine.rows('select name, running from groups')).toEqual([
          { name: 'g', running: 0 },
        ])
      },
    }),
  ),
]
