import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../src/runners/encode-json.ts'

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

describe('an output', () => {
  test.for([
    ['a cycle', cycle],
    ['a BigInt', { n: 1n }],
    ['a NUL', 'a\0b'],
    ['a NUL behind backslashes', '\\\\\0'],
    ['a lone surrogate', ['\udc00']],
    ['a function', { done: () => {} }],
    ['a symbol', Symbol('x')],
    ['more than a megabyte', 'ü'.repeat(600_000)],
  ] as const)('with %s is refused', ([, value]) => {
    expect(() => encodeJson('output', value)).toThrow(
      expect.objectContaining({ code: 'output_not_storable', name: 'NotStorable' }),
    )
  })

  test.for([
    ['nothing', undefined, null],
    ['null', null, null],
    ['text that looks like an escape', '\\u0000', '"\\\\u0000"'],
    ['a whole character beyond the basic plane', '😀', '"😀"'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ] as const)('of %s is kept', ([, value, text]) => {
    expect(encodeJson('output', value)).toBe(text)
  })

  test('says where the fault is', () => {
    expect(() => encodeJson('output', { reply: () => {} })).toThrow(
      'the output cannot be stored: its "reply" is a function',
    )
  })
})
