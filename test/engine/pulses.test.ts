import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

interface Pulse {
  readonly queue: string
  readonly done: readonly string[]
}

describe('pulses', () => {
  test('tell what each queue got done, minute by minute', async ({ engine }) => {
    await engine.complete(await engine.running({ queue: 'mail' }))
    await engine.complete(await engine.running({ queue: 'mail' }))
    await engine.rows(`select roll_up()`)
    await engine.rows(`update counters set at = at - interval '2 minutes' where width = 60`)
    await engine.complete(await engine.running({ queue: 'mail' }))
    await engine.complete(await engine.running({ queue: 'reports' }))
    await engine.enqueue({ queue: 'idle' })

    const pulses = await engine.rows<Pulse>('select * from pulses(60)')

    expect(pulses.map(({ queue }) => queue)).toEqual(['mail', 'reports'])
    // A minute may end between the tasks and the look at them.
    expect(pulses.map(({ done }) => done.length)).toEqual([60, 60])
    expect(pulses.map(({ done }) => done.filter((n) => n !== '0'))).toEqual([['2', '1'], ['1']])
    expect(pulses[0]?.done.slice(-4).filter((n) => n !== '0')).toEqual(['2', '1'])
  })

  test.for([0, 2881, null])('of %s minutes are refused', async (minutes, { engine }) => {
    await expect(engine.rows('select pulses($1)', minutes)).rejects.toThrow('pulses() cannot count')
  })
})
