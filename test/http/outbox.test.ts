import { describe, expect, test } from 'vitest'
import { Outbox } from '../../src/http/events/outbox.ts'

describe('the outbox of a stream', () => {
  test('never keeps more than its limit, whatever is written', () => {
    const outbox = new Outbox(10_000, () => {})
    const text = 'x'.repeat(999)

    const taken = Array.from({ length: 1_000 }, () => outbox.write(text)).filter(Boolean)

    expect(taken).toHaveLength(10)
    expect(outbox.size).toBe(9_990)
  })

  test('takes one text that is larger, while nothing else waits', () => {
    const outbox = new Outbox(10_000, () => {})
    const large = 'x'.repeat(20_000)

    const taken = [outbox.write(large), outbox.write('x')]

    expect(taken).toEqual([true, false])
  })

  test('hands on no more at once than is asked for', async () => {
    const outbox = new Outbox(1_000_000, () => {})
    for (let i = 0; i < 100; i += 1) outbox.write('x'.repeat(5_000))
    const reader = outbox.stream.getReader()

    const { value } = await reader.read()

    expect(value?.byteLength).toBeLessThanOrEqual(64 * 1024)
    expect(outbox.size).toBe(500_000 - (value?.byteLength ?? 0))
  })

  test('ends with a last word instead of what was not read, and tells that it is over', async () => {
    let gone = 0
    const outbox = new Outbox(10_000, () => {
      gone += 1
    })
    outbox.write('never read')
    outbox.end('the end', { dropsRest: true })
    outbox.write('too late')

    const text = await new Response(outbox.stream).text()

    expect(text).toBe('the end')
    expect([gone, outbox.isOver]).toEqual([1, true])
  })

  test('lets no caller wait for a client that has gone', async () => {
    const outbox = new Outbox(10_000, () => {})
    outbox.write('something')
    const drained = outbox.drained()

    await outbox.stream.cancel()

    await drained
    expect(outbox.size).toBe(0)
  })
})
