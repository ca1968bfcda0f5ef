import { expect } from 'vitest'
import { durableVerbs } from '../../support/durable.ts'
import type { Scenario } from '../scenario.ts'

const broken = { code: 'x', message: 'broken' }
const join = (...children: string[]) => ({ kind: 'children', children })

/** Tasks that start others, wait for them, are brought back to a step, and are notified late. */
export const families: readonly Scenario[] = [
  {
    name: 'a join is over as its mode says, and gives how each child ended',
    about: ['durable', 'end'],
    doors: 'one',
    run: async ({ engine }) => {
      const { spawn, suspend } = durableVerbs(engine)
      const children = { a: { queue: 'a', max_attempts: 1 }, b: { queue: 'b' } }
      // What the join says, whether its first child succeeds, and whether that wakes the parent.
      const cases = [
        [{ mode: 'all' }, true, false],
        [{ mode: 'all' }, false, true],
        [{ mode: 'all', on_failure: 'collect' }, false, false],
        [{ mode: 'any' }, true, true],
        [{ mode: 'any' }, false, false],
        [{ mode: 'race' }, false, true],
      ] as const
      for (const [how, succeeds, wakes] of cases) {
        const wait = { ...join('a', 'b'), ...how }
        const parent = await engine.running()
        await spawn(parent, children)
        expect(await suspend(parent, wait)).toEqual([])
        const child = await engine.claimOne('a')
        if (succeeds) await engine.complete(child, 7)
        else await engine.fail(child, broken)
        const first = await engine.claim('mail')
        expect([how, succeeds, first.length]).toEqual([how, succeeds, wakes ? 1 : 0])
        if (!wakes) await engine.complete(await engine.claimOne('b'), 8)
        const again = first[0] ?? (await engine.claimOne('mail'))
        expect(await suspend(again, wait)).toMatchObject([
          succeeds
            ? { name: 'a', state: 'done', output: 7, error: null }
            : { name: 'a', state: 'failed', error: { task: Number(child.id), error: broken } },
          wakes ? { name: 'b', state: 'open' } : { name: 'b', state: 'done', output: 8 },
        ])
        await engine.complete(again)
        for (const left of await engine.claim('b')) await engine.complete(left)
      }
      expect(await engine.rows('select from awaits')).toEqual([])
    },
  },
  {
    name: 'a child is started once, joined by its own name, and may have ended before',
    about: ['durable', 'store'],
    doors: 'one',
    run: async ({ engine }) => {
      const { spawn, suspend } = durableVerbs(engine)
      await engine.setQueue('kept', { keeps_keys: true })
      await engine.enqueue({ queue: 'kept', key: 'one' })
      await engine.complete(await engine.claimOne('kept'), 'before')
      const parent = await engine.running()
      const child = { old: { queue: 'kept', key: 'one' } }
      const first = await spawn(parent, child)
      expect(await spawn(parent, child)).toEqual(first)
      expect(await suspend(parent, join('old'))).toMatchObject([
        { state: 'done', output: 'before', error: null },
      ])
      await expect(suspend(parent, join('stranger'))).rejects.toMatchObject({
        code: 'invalid_argument',
      })
      expect(await engine.rows('select from tasks')).toHaveLength(1)
    },
  },
  {
    name: 'children end with a cancelled parent, but for those that are detached',
    about: ['durable', 'cancel'],
    doors: 'one',
    run: async ({ engine }) => {
      const { spawn } = durableVerbs(engine)
      const parent = await engine.running()
      const [child = ''] = await spawn(parent, { child: { queue: 'a' } })
      const [grandchild = ''] = await spawn(await engine.claimOne('a'), { deep: { queue: 'b' } })
      await engine.rows(
        `select spawn($1, $2, '{free}', '[{"queue": "c"}]', '{true}')`,
        parent.id,
        parent.claim,
      )
      await engine.cancel(parent.id)
      for (const id of [child, grandchild])
        expect(await engine.task(id)).toMatchObject({ state: 'cancelled' })
      expect(await engine.claim('c')).toHaveLength(1)
    },
  },
  {
    name: 'spawns are nested 1,000 deep at most, and never in a circle',
    about: ['durable'],
    doors: 'one',
    run: async ({ engine }) => {
      const { spawn } = durableVerbs(engine)
      const a = await engine.running({ queue: 'a', key: 'one' })
      await spawn(a, { b: { queue: 'b', key: 'one' } })
      const b = await engine.claimOne('b')
      await expect(spawn(b, { a: { queue: 'a', key: 'one' } })).rejects.toThrow('wait for itself')
      await engine.rows('update steps set depth = 999 where task = $1', a.id)
      await spawn(b, { c: { queue: 'c' } })
      await expect(spawn(await engine.claimOne('c'), { d: { queue: 'd' } })).rejects.toThrow(
        'is the child of 1000 tasks',
      )
    },
  },
  {
    name: 'a child that is brought back is waited for again',
    about: ['durable', 'retry'],
    doors: 'one',
    run: async ({ engine }) => {
      const { spawn, steps, suspend } = durableVerbs(engine)
      const parent = await engine.running()
      const [a = ''] = await spawn(parent, {
        a: { queue: 'a', max_attempts: 1 },
        b: { queue: 'b' },
      })
      await engine.fail(await engine.claimOne('a'), broken)
      await suspend(parent, { ...join('a', 'b'), on_failure: 'collect' })
      await engine.retry(a)
      expect(await steps(parent.id)).toMatchObject([{ name: 'a', state: 'open' }, { name: 'b' }])
      await engine.complete(await engine.claimOne('b'))
      expect(await engine.claim('mail')).toEqual([])
      await engine.complete(await engine.claimOne('a'), 'at last')
      expect(await suspend(await engine.claimOne('mail'), join('a', 'b'))).toMatchObject([
        { state: 'done', output: 'at last', error: null },
        { state: 'done' },
      ])
    },
  },
  {
    name: 'a retry forgets steps from one on, gives their signals back and cancels their children',
    about: ['durable', 'retry'],
    doors: 'one',
    run: async ({ engine }) => {
      const { save, signal, spawn, steps, suspend } = durableVerbs(engine)
      const task = await engine.running({ maxAttempts: 1 })
      await save(task, 'charge', 1)
      for (const payload of ['first', 'second']) await signal(task.id, 'paid', payload)
      await suspend(task, { kind: 'signal', name: 'paid' })
      const [child = ''] = await spawn(task, { pack: { queue: 'pack' } })
      await save(task, 'book', null, 'failed')
      await engine.fail(task, broken)

      await expect(engine.retry(task.id, null, undefined, 'nothing')).rejects.toMatchObject({
        code: 'invalid_argument',
      })
      await engine.retry(task.id)
      expect(await steps(task.id)).toMatchObject([
        { name: 'charge' },
        { name: 'paid' },
        { name: 'pack' },
      ])
      await engine.kill(await engine.claimOne('mail'))
      await engine.retry(task.id, null, undefined, 'paid')
      expect(await steps(task.id)).toMatchObject([{ name: 'charge' }])
      expect(await engine.task(child)).toMatchObject({ state: 'cancelled' })
      const again = await engine.claimOne('mail')
      for (const [name, output] of [
        ['a', 'first'],
        ['b', 'second'],
      ])
        expect(await suspend(again, { kind: 'signal', name, signal: 'paid' })).toMatchObject([
          { output },
        ])
    },
  },
  {
    name: 'a task that could not be notified of an end or a signal looks again',
    about: ['durable', 'rescue'],
    doors: 'one',
    run: async ({ engine }) => {
      const { suspend } = durableVerbs(engine)
      const task = await engine.running()
      await suspend(task, { kind: 'signal', name: 'paid' })
      const [a, b] = [await engine.enqueue({ queue: 'a' }), await engine.enqueue({ queue: 'a' })]
      const after = [a.id, b.id]
      const next = await engine.enqueue({ queue: 'next', after })
      const fails = await engine.enqueue({ queue: 'next', after })
      const note = (id: string, hasFailed: boolean) =>
        engine.rows('insert into wake_notes (task, has_failed) values ($1, $2)', id, hasFailed)
      // As tell_waiters() and signal() leave them where another transaction holds the row.
      await engine.rows('delete from awaits where awaited = $1 and waiter = $2', a.id, next.id)
      await note(next.id, false)
      await note(fails.id, true)
      await note(task.id, false)
      expect(await engine.value('select fold_wake_notes()')).toBe(2)
      expect(await engine.rows('select from wake_notes')).toEqual([])
      expect(await engine.claimOne('mail')).toMatchObject({ id: task.id })
      expect(await engine.task(fails.id)).toMatchObject({ state: 'failed', reason: 'dependency' })
      expect(await engine.task(next.id)).toMatchObject({ state: 'waiting' })
      await engine.rows('delete from awaits where awaited = $1', b.id)
      await note(next.id, false)
      await engine.rows('select fold_wake_notes()')
      expect(await engine.claimOne('next')).toMatchObject({ id: next.id })
    },
  },
]
