import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const register = `select register_worker($1, '{mail,post}', 4, 'host', 123, '1.0')`

describe('register_worker', () => {
  test('makes a process known', async ({ engine }) => {
    await engine.rows(register, 'w1')

    expect(await engine.rows('select * from worker')).toMatchObject([
      { id: 'w1', host: 'host', pid: 123, queues: ['mail', 'post'], slots: 4, draining_at: null },
    ])
  })

  test('takes a second call for a change of mind', async ({ engine }) => {
    await engine.rows(register, 'w1')
    await engine.rows(`select drain_worker('w1')`)

    await engine.rows(`select register_worker('w1', '{mail}', 8, 'host', 123, '1.0')`)

    expect(await engine.rows('select * from worker')).toMatchObject([
      { id: 'w1', queues: ['mail'], slots: 8, draining_at: null },
    ])
  })

  test('refuses a worker without an id', async ({ engine }) => {
    await expect(engine.rows(register, '')).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'a worker needs an id',
      hint: expect.stringContaining('gen_random_uuid()'),
    })
  })
})

describe('drain_worker', () => {
  test('marks the worker, once', async ({ engine }) => {
    await engine.rows(register, 'w1')
    await engine.rows(`select drain_worker('w1')`)
    const since = await engine.value<Date>('select draining_at from worker')

    await engine.rows(`select drain_worker('w1')`)

    expect(since).toBeInstanceOf(Date)
    expect(await engine.value('select draining_at from worker')).toEqual(since)
  })

  test('refuses a worker that is not there', async ({ engine }) => {
    await expect(engine.rows(`select drain_worker('unknown')`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'there is no worker unknown',
      hint: expect.any(String),
    })
  })
})

describe('forget_workers', () => {
  test('removes those that say goodbye', async ({ engine }) => {
    await engine.rows(register, 'w1')
    await engine.rows(register, 'w2')
    await engine.rows(`select sleep('w1', '{mail}')`)

    await engine.rows(`select forget_workers('{w1}')`)

    expect(await engine.rows('select id from worker')).toEqual([{ id: 'w2' }])
    expect(await engine.rows('select from sleepers')).toEqual([])
  })

  test('removes those that have been silent for too long, and no other', async ({ engine }) => {
    await engine.rows(register, 'silent')
    await engine.pass('61 seconds')
    await engine.rows(register, 'alive')

    const gone = await engine.rows('select forget_workers as id from forget_workers()')

    expect(gone).toEqual([{ id: 'silent' }])
    expect(await engine.rows('select id from worker')).toEqual([{ id: 'alive' }])
  })

  test('leaves what they held to rescue', async ({ engine }) => {
    await engine.rows(register, 'w1')
    const task = await engine.running({}, { worker: 'w1' })

    await engine.rows(`select forget_workers('{w1}')`)

    expect(await engine.task(task.id)).toMatchObject({ state: 'running', worker: 'w1' })
  })
})
