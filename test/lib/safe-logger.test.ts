import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Logger } from '../../src/lib/logger.ts'
import { safeLogger } from '../../src/lib/safe-logger.ts'
import { canary, expectNoCanary, leakyError, listeningLogger } from '../support/canaries.ts'

/** What a logger of the application is given. */
function given(fields: object): Record<string, unknown> {
  let seen: object = {}
  const see = (what: object) => {
    seen = what
  }
  const logger: Logger = { debug: see, info: see, warn: see, error: see }
  safeLogger(logger).warn(fields, 'said')
  return seen as Record<string, unknown>
}

describe('a safe logger', () => {
  test('hands on an error of the same class, with its code, hint and causes', () => {
    const refused = new pg.DatabaseError(`no: password=${canary}`, 1, 'error')
    Object.assign(refused, { code: '23514', table: 'tasks', detail: canary, where: canary })
    const error = new TypeError('wrong', { cause: new AggregateError([refused, canary], 'all') })

    const { err } = given({ err: error }) as { err: TypeError }

    expect(err).toBeInstanceOf(TypeError)
    expect(err).not.toBe(error)
    const [first] = (err.cause as AggregateError).errors as pg.DatabaseError[]
    expect(first).toBeInstanceOf(pg.DatabaseError)
    expect(first).toMatchObject({ code: '23514', table: 'tasks', message: 'no: password=***' })
    expect(first).not.toHaveProperty('detail')
    expect(err.stack).toContain('safe-logger.test.ts')
  })

  test('hides fields that are named like secrets, however deep', () => {
    const at = new Date()
    const fields = {
      task: '7',
      at,
      n: 1,
      none: null,
      token: null,
      db: { api_key: canary, list: [{ Cookie: canary }] },
    }

    expect(given(fields)).toEqual({
      ...fields,
      db: { api_key: '***', list: [{ Cookie: '***' }] },
    })
  })

  test('does not fail over what cannot be looked at', () => {
    const hostile = new Error('x')
    Object.defineProperty(hostile, 'message', {
      get: () => {
        throw new Error('never')
      },
    })
    const endless: Record<string, unknown> = {}
    endless['self'] = endless

    expect(given({ err: hostile })['err']).toBeInstanceOf(Error)
    expect(given(endless)).toHaveProperty('self')
  })

  test('leaves no secret to pino, which writes all fields of errors', () => {
    const { logger, lines } = listeningLogger()

    safeLogger(logger).error(
      { err: leakyError(), reason: `password=${canary}` },
      `no ${canary.length}`,
    )

    expect(lines[0]).toContain('"code":"E_LEAK"')
    expectNoCanary(lines.join(''))
  })
})
