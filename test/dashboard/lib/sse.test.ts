import { describe, expect, test } from 'vitest'
import { MessageReader } from '../../../src/dashboard/lib/sse.ts'

describe('reading a stream of events', () => {
  test('gives a message when its empty line has come', () => {
    const reader = new MessageReader()

    expect(reader.push('id: 7\nevent: events\ndata: [1,\n')).toEqual([])
    expect(reader.push('data: 2]\n\n')).toEqual([{ id: '7', event: 'events', data: '[1,\n2]' }])
  })

  test('joins what was cut anywhere', () => {
    const whole = 'id: 1-2\r\nevent: events\r\ndata: {"a":"ü"}\r\n\r\n'
    const reader = new MessageReader()

    const messages = [...whole].flatMap((piece) => reader.push(piece))

    expect(messages).toEqual([{ id: '1-2', event: 'events', data: '{"a":"ü"}' }])
  })

  test('passes over comments, and tells a place without data', () => {
    const reader = new MessageReader()

    const messages = reader.push(': warm\n\nretry: 1000\n\nid: 3\n\ndata: b\n\n')

    expect(messages).toEqual([
      { id: '3', event: 'message', data: '' },
      { id: null, event: 'message', data: 'b' },
    ])
  })
})
