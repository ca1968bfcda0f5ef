import { describe, expect, test } from 'vitest'
import { describeError } from '../../src/runners/describe-error.ts'

const described = (error: unknown) => JSON.parse(describeError(error))

describe('what is kept of an error', () => {
  test('is its name, message, code and stack, and those of its causes', () => {
    const cause = Object.assign(new TypeError('no such host'), { code: 'ENOTFOUND' })

    expect(described(new Error('cannot send', { cause }))).toEqual({
      name: 'Error',
      message: 'cannot send',
      stack: expect.stringContaining('describe-error.test'),
      cause: {
        name: 'TypeError',
        message: 'no such host',
        code: 'ENOTFOUND',
        stack: expect.any(String),
      },
    })
  })

  test('has the hint of an error that has one, which says what to do', () => {
    const error = Object.assign(new Error('used twice'), { hint: 'Give it another name.' })

    expect(described(error)).toMatchObject({ hint: 'Give it another name.' })
    expect(described(Object.assign(new Error('x'), { hint: 7 }))).not.toHaveProperty('hint')
  })

  test('is what was thrown in words, if it was not an error', () => {
    expect(described('out of paper')).toEqual({ name: 'NonError', message: 'out of paper' })
    expect(described({ status: 500 })).toMatchObject({ message: '{ status: 500 }' })
    expect(described(undefined)).toMatchObject({ message: 'undefined' })
  })

  test('stays within bounds, and keeps the outermost message longest', () => {
    let error = new Error('the first')
    for (let n = 0; n < 20; n++) error = new Error(`${n} ${'x'.repeat(5_000)}`, { cause: error })

    expect(describeError(error).length).toBeLessThanOrEqual(8_000)
    expect(described(error).message).toMatch(/^19 x+…$/)
  })

  test('has nothing that Postgres cannot hold', () => {
    const text = describeError(new Error('a\0b \ud800 c 😀'))

    expect(JSON.parse(text).message).toBe('ab \ufffd c 😀')
    expect(text).not.toMatch(/\\u0000|\\ud8/i)
  })

  test('survives an error that throws when it is looked at', () => {
    const nasty = {
      get [Symbol.toStringTag](): string {
        throw new Error('do not look')
      },
    }

    expect(described(nasty)).toMatchObject({ name: 'NonError' })
    const cause = Object.defineProperty(new Error('inner'), 'stack', {
      get: () => {
        throw new Error('do not look')
      },
    })
    expect(described(new Error('outer', { cause }))).toMatchObject({
      message: 'outer',
      cause: { name: 'NonError' },
    })
  })
})
