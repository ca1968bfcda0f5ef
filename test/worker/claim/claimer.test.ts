import { describe, expect, test } from 'vitest'
import type { ClaimedRow } from '../../../src/engine/claim-batch.ts'
import { type Claim, Claimer } from '../../../src/worker/claim/claimer.ts'

const rowsOf = (...queues: string[]) =>
  queues.map((queue) => ({ queue, priority: 3, run_at: '2026-01-01 00:00:00+00' }) as ClaimedRow)

/** A claimer of the queues a, b and c; it notes with how many hints each queue was asked. */
function openClaimer(answers: (() => Promise<ClaimedRow[]>)[]) {
  const asked: [on: string, queues: Record<string, number>][] = []
  const claim: Claim = async (on, _limit, queues) => {
    asked.push([on, Object.fromEntries(queues.map(({ queue, hints }) => [queue, hints.length]))])
    return (await answers.shift()?.()) ?? []
  }
  return { claimer: new Claimer(['a', 'b', 'c'], claim), asked }
}

const at =
  (...queues: string[]) =>
  async () =>
    rowsOf(...queues)

/** Longer than a scan may take in place of a claim. */
const dear = () => new Promise<ClaimedRow[]>((resolve) => setTimeout(() => resolve([]), 80))

describe('a claimer', () => {
  test('begins where it was last in each queue, and now and then from the start', async () => {
    const { claimer, asked } = openClaimer([at('a', 'b'), at('a')])
    await claimer.look(['a', 'b', 'c'], 10, false)
    await claimer.look(['c', 'a', 'b'], 10, false)
    await claimer.look(['a', 'b', 'c'], 10, true)

    expect(asked).toEqual([
      ['claim', { a: 0, b: 0, c: 0 }],
      ['claim', { c: 0, a: 1, b: 1 }],
      ['claim', { a: 0, b: 0, c: 0 }],
    ])
  })

  test('tells which queues are empty', async () => {
    const { claimer } = openClaimer([at('a', 'b'), at('a', 'b'), at()])

    expect((await claimer.look(['a', 'b', 'c'], 10, true)).emptied).toEqual(['a', 'b', 'c'])
    // Full: b may have more, and c was not asked.
    expect((await claimer.look(['a', 'b', 'c'], 2, true)).emptied).toEqual(['a'])
    expect((await claimer.look(['c', 'b'], 2, true)).emptied).toEqual(['c', 'b'])
  })

  test('knows that nothing is left only after a look from the start that was not full', async () => {
    const { claimer } = openClaimer([at('a'), at('a'), at('a', 'b')])

    expect((await claimer.look(['a', 'b'], 10, true)).isExhaustive).toBe(true)
    expect((await claimer.look(['a', 'b'], 10, false)).isExhaustive).toBe(false)
    expect((await claimer.look(['a', 'b'], 2, true)).isExhaustive).toBe(false)
  })

  test('scans a queue whose scans take long alone, on a connection of its own', async () => {
    const { claimer, asked } = openClaimer([at('a'), at('a'), dear, dear, dear, at('a')])
    await claimer.look(['a', 'b'], 10, true)
    await claimer.look(['a', 'b'], 10, false)
    for (let n = 0; n < 3; n++) {
      expect(claimer.nextScan).toBeUndefined()
      await claimer.look(['a'], 10, true)
    }

    expect(claimer.nextScan).toMatchObject({ queue: 'a' })
    // It uses its hints also in a look that is thorough elsewhere.
    expect((await claimer.look(['a', 'b'], 10, true)).isExhaustive).toBe(false)
    await claimer.scan('a', 10)
    expect(asked.slice(5)).toEqual([
      ['claim', { a: 1, b: 0 }],
      ['scan', { a: 0 }],
    ])
    // That scan was quick.
    expect(claimer.nextScan).toBeUndefined()
  })
})
