import { describe, expect, test } from 'vitest'
import { camelCase, snakeCase } from '../../src/lib/casing.ts'

describe('camelCase', () => {
  test('converts the names of columns', () => {
    const row = { id: '7', run_at: null, done_last_hour: 3, wait_p50: 0.5 }

    expect(camelCase(row)).toEqual({ id: '7', runAt: null, doneLastHour: 3, waitP50: 0.5 })
  })

  test('leaves the inside of values as it is', () => {
    const at = new Date()
    const row = { max_attempts: 3, run_at: at, payload: { order_id: [{ line_no: 1 }] } }

    const { runAt, payload } = camelCase(row)

    expect(runAt).toBe(at)
    expect(payload).toBe(row.payload)
  })
})

describe('snakeCase', () => {
  test('converts names and leaves out what is undefined', () => {
    const given = { maxRunning: 3, gap: undefined, rate: null, backoff: { kind: 'none' } }

    expect(snakeCase(given)).toEqual({ max_running: 3, rate: null, backoff: { kind: 'none' } })
  })
})
