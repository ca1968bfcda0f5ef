import { expect } from 'vitest'
import type { Scenario } from '../scenario.ts'
import type { Ending } from './endings.ts'

export const freesKey = (ending: Ending): Scenario => ({
  name: `${ending.name} gives the key back`,
  about: ['key', ...ending.about],
  run: async ({ engine }) => {
    const task = await engine.running({ key: 'k' })
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({
      id: task.id,
      outcome: 'kept',
    })
    await ending.end(engine, task)
    expect(await engine.rows('select from keys')).toEqual([])
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'created' })
  },
})

export const keepsKey = (ending: Ending, setFirst: boolean): Scenario => ({
  name: `${ending.name} keeps the key in a queue that keeps keys${setFirst ? '' : ' since the task was enqueued'}`,
  about: ['key', ...ending.about],
  run: async ({ engine }) => {
    if (setFirst) await engine.setQueue('mail', { keeps_keys: true })
    const task = await engine.running({ key: 'k' })
    if (!setFirst) await engine.setQueue('mail', { keeps_keys: true })
    await ending.end(engine, task)
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({
      id: task.id,
      outcome: 'kept',
    })
  },
})

export const keepsWindow = (ending: Ending): Scenario => ({
  name: `${ending.name} keeps a throttled key until its window is over`,
  about: ['key', ...ending.about],
  run: async ({ engine }) => {
    const given = { queue: 'mail', key: 'k', onDuplicate: 'throttle', window: '1 hour' } as const
    const task = await engine.running(given)
    await ending.end(engine, task)
    expect(await engine.enqueue(given)).toEqual({ id: task.id, outcome: 'throttled' })
    await engine.pass('61 minutes')
    expect(await engine.enqueue(given)).toMatchObject({ outcome: 'created' })
  },
})
