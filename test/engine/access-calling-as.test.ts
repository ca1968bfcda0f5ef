import { describe, expect } from 'vitest'
import { callingAs } from '../../src/engine/calling-as.ts'
import { test } from '../support/engine.ts'

describe('callingAs', () => {
  test('commits what was done, and says for whom only in that transaction', async ({
    db,
    engine,
  }) => {
    const said = await callingAs(db, { actor: 'ada', door: 'http' }, async (on) => {
      await engine.on(on).enqueue({ queue: 'mail' })
      return engine.on(on).value(`select current_setting('tusk.caller')::json ->> 'actor'`)
    })

    expect(said).toBe('ada')
    expect(await engine.rows('select from task')).toHaveLength(1)
    const after = await Promise.all(
      Array.from({ length: 6 }, () => engine.value(`select current_setting('tusk.caller', true)`)),
    )
    expect(after.every((value) => value === null || value === '')).toBe(true)
  })

  test('undoes what was done when the work throws, and gives its error on', async ({
    db,
    engine,
  }) => {
    const failing = callingAs(db, { actor: 'ada' }, async (on) => {
      await engine.on(on).enqueue({ queue: 'mail' })
      throw new Error('changed my mind')
    })

    await expect(failing).rejects.toThrow('changed my mind')
    expect(await engine.rows('select from task')).toEqual([])
  })

  test('says that nothing was done when the work goes on after an error', async ({
    db,
    engine,
  }) => {
    const careless = callingAs(db, { actor: 'ada' }, async (on) => {
      await engine.on(on).enqueue({ queue: 'mail' })
      await engine
        .on(on)
        .cancel('404')
        .catch(() => {})
    })

    await expect(careless).rejects.toMatchObject({ code: 'wrong_state' })
    expect(await engine.rows('select from task')).toEqual([])
  })

  test('gives its connection back in order, also after the connection was lost', async ({
    db,
    engine,
  }) => {
    const cut = callingAs(db, { actor: 'ada' }, async (on) => {
      await engine.on(on).enqueue({ queue: 'mail' })
      await engine.on(on).rows('select pg_terminate_backend(pg_backend_pid())')
    })

    await expect(cut).rejects.toThrow()
    expect(db.idleCount).toBe(db.totalCount)
    expect(await engine.rows('select from task')).toEqual([])
  })
})
