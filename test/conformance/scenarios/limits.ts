import { expect } from 'vitest'
import type { Scenario } from '../scenario.ts'

const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id)

export const limits: readonly Scenario[] = [
  {
    name: 'a queue runs no more tasks at once than its limit',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { max_running: 2 })
      for (let n = 0; n < 4; n += 1) await engine.enqueue({ queue: 'mail' })
      expect(await engine.claim('mail', { limit: 9 })).toHaveLength(2)
      expect(await engine.claim('mail', { limit: 9 })).toEqual([])
      expect(await engine.value(`select running from groups where name = '@mail'`)).toBe(2)
    },
  },
  {
    name: 'a group runs no more tasks at once than its limit, in all queues together',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      await engine.setGroup('g', { max_running: 1 })
      await engine.enqueue({ queue: 'mail', groups: ['g'] })
      await engine.enqueue({ queue: 'post', groups: ['other', 'g'] })
      expect(await engine.claim('mail', { limit: 9 })).toHaveLength(1)
      expect(await engine.claim('post', { limit: 9 })).toEqual([])
    },
  },
  {
    name: 'a task with max_running starts only while fewer tasks of its group run',
    about: ['limit', 'store', 'claim'],
    run: async ({ engine }) => {
      await engine.setGroup('g', { max_running: 9 })
      await engine.running({ groups: ['g'] })
      await engine.running({ groups: ['g'] })
      const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'], maxRunning: 2 })
      expect(await engine.claim('mail')).toEqual([])
      expect(await engine.task(id)).toMatchObject({ state: 'blocked' })
      await engine.enqueue({ queue: 'mail', groups: ['g'], maxRunning: 3 })
      expect(await engine.claim('mail')).toHaveLength(1)
    },
  },
  {
    name: 'a group without limits counts what runs from its first limit on',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      const runs = await engine.running({ groups: ['g'] })
      await engine.setGroup('g', { max_running: 1 })
      const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'] })
      expect(await engine.claim('mail')).toEqual([])
      await engine.complete(runs)
      expect(ids(await engine.claim('mail'))).toEqual([id])
      expect(await engine.value(`select running from groups where name = 'g'`)).toBe(1)
    },
  },
  {
    name: 'a group without limits counts what runs from the first task with a limit on',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      const runs = await engine.running({ groups: ['g'] })
      const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'], maxRunning: 1 })
      expect(await engine.claim('mail')).toEqual([])
      await engine.complete(runs)
      expect(ids(await engine.claim('mail'))).toEqual([id])
    },
  },
  {
    name: 'a group without limits counts what runs from the first limit of its queue for groups on',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      const runs = await engine.running({ groups: ['g'] })
      await engine.setQueue('mail', { group_max_running: 1 })
      const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'] })
      expect(await engine.claim('mail')).toEqual([])
      await engine.complete(runs)
      expect(ids(await engine.claim('mail'))).toEqual([id])
    },
  },
  {
    name: 'a task that is cancelled before it starts gives back no slot of its group',
    about: ['limit', 'cancel', 'end'],
    run: async ({ engine }) => {
      await engine.setGroup('g', { max_running: 2 })
      await engine.running({ groups: ['g'] })
      const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'] })
      await engine.cancel(id)
      expect(await engine.value(`select running from groups where name = 'g'`)).toBe(1)
    },
  },
  {
    name: 'a paused group starts nothing until it is resumed',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      await engine.enqueue({ queue: 'mail', groups: ['g'] })
      await engine.pauseGroup('g')
      expect(await engine.claim('mail')).toEqual([])
      await engine.resumeGroup('g')
      expect(await engine.claim('mail')).toHaveLength(1)
    },
  },
  {
    name: 'a group starts no more tasks than its rate allows',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      await engine.setGroup('g', { rate: 2, rate_window: '1 hour' })
      for (let n = 0; n < 3; n += 1) await engine.enqueue({ queue: 'mail', groups: ['g'] })
      expect(await engine.claim('mail', { limit: 9 })).toHaveLength(2)
      expect(await engine.claim('mail', { limit: 9 })).toEqual([])
      await engine.pass('61 minutes')
      expect(await engine.claim('mail', { limit: 9 })).toHaveLength(1)
    },
  },
  {
    name: 'a queue keeps a gap between two starts',
    about: ['limit', 'claim'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { gap: '1 hour' })
      for (let n = 0; n < 2; n += 1) await engine.enqueue({ queue: 'mail' })
      expect(await engine.claim('mail', { limit: 9 })).toHaveLength(1)
      expect(await engine.claim('mail', { limit: 9 })).toEqual([])
      await engine.pass('61 minutes')
      expect(await engine.claim('mail', { limit: 9 })).toHaveLength(1)
    },
  },
  {
    name: 'a fair queue goes round its groups',
    about: ['limit', 'claim', 'store'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { is_fair: true })
      for (const group of ['a', 'a', 'a', 'b', 'c']) {
        await engine.enqueue({ queue: 'mail', groups: [group] })
      }
      await engine.enqueue({ queue: 'mail' })
      const taken = await engine.claim('mail', { limit: 4 })
      expect(taken.map(({ groups }) => groups?.[0] ?? 'none').sort()).toEqual([
        'a',
        'b',
        'c',
        'none',
      ])
    },
  },
  {
    name: 'a fair queue gives tasks without a group their turn',
    about: ['limit', 'claim', 'store'],
    // Turns go on from claim to claim of one session, and a server has several.
    doors: ['single', 'bulk', 'objects', 'queues', 'client'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { is_fair: true })
      for (const group of ['a', 'a', 'a', 'b', 'b', 'b']) {
        await engine.enqueue({ queue: 'mail', groups: [group] })
      }
      await engine.enqueue({ queue: 'mail' })
      const taken = await engine.claim('mail', { limit: 2 })
      taken.push(...(await engine.claim('mail', { limit: 1 })))
      expect(taken.map(({ groups }) => groups?.[0] ?? 'none').sort()).toEqual(['a', 'b', 'none'])
    },
  },
  {
    name: 'a fair queue goes round its groups also after retries and rounds',
    about: ['limit', 'retry', 'claim'],
    run: async ({ engine }) => {
      await engine.setQueue('mail', { is_fair: true })
      for (const group of ['a', 'a', 'a', 'b']) {
        const task = await engine.running({ groups: [group] })
        await engine.kill(task)
      }
      const ended = await engine.rows<{ id: string }>('select id from finished order by id')
      for (const { id } of ended) await engine.retry(id)
      const taken = await engine.claim('mail', { limit: 2 })
      expect(taken.map(({ groups }) => groups?.[0]).sort()).toEqual(['a', 'b'])
      expect(new Set(ids(taken)).size).toBe(2)
    },
  },
]
