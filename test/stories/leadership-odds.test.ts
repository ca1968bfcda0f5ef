import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { type LeaderProcess, type Story, test } from '../support/leadership.ts'
import { until } from '../support/until.ts'

const timeout = 300_000
const fiveMinutesMs = 300_000
/** Seconds until another leads after a crash: 15 are promised, and a busy machine may take longer. */
const afterCrash = 60

describe.concurrent('leadership', () => {
  test('does not mind clocks that are five minutes off, either way', { timeout }, async ({
    story,
  }) => {
    const processes = await Promise.all(
      [-fiveMinutesMs, fiveMinutesMs, 0].map((clockShiftMs) => story.join({ clockShiftMs })),
    )
    expect(processes.map(({ lines }) => minutesOff(lines))).toEqual(['-5', '5', '0'])

    const killed: LeaderProcess[] = []
    for (const _ of range(2)) {
      const leading = await story.leader()
      const killedAt = await story.now()
      leading.send('SIGKILL')
      killed.push(leading)
      await story.leader(leading)
      expect(await story.takenOverAfter(killedAt)).toBeLessThan(afterCrash)
    }

    expect(new Set(killed).size).toBe(2)
    expect(await story.faults()).toEqual([])
  })

  test('survives one in five renewals failing, in any way', { timeout }, async ({ story }) => {
    const part = { failsToRenew: true, chores: { ttlMs: 3_000, renewMs: 150 } }
    const processes = await Promise.all(range(3).map(() => story.join(part)))
    const failed = (way: string) =>
      processes
        .flatMap(({ lines }) => lines)
        .filter((line) => line === `a renewal failed by ${way}`)
    const ways = ['timeout', 'serialization', 'reset', 'lost answer']
    await until(async () => ways.every((way) => failed(way).length >= 3))
    const leading = await story.leader()
    leading.send('SIGKILL')
    await story.leader(leading)

    expect(await story.faults()).toEqual([])
  })

  test('goes around among three processes when it rotates', { timeout }, async ({ story }) => {
    const chores = { ttlMs: 3_000, renewMs: 200, rotateMs: 500 }
    await Promise.all(range(3).map(() => story.join({ chores })))
    await until(() =>
      story.engine.value(
        `select count(distinct worker) = 3 and count(*) > 5 from terms where chore = 'witness'`,
      ),
    )

    expect(await hows(story)).toContain('rotation')
    expect(await story.engine.rows(`select * from chore_alert`)).toEqual([])
    expect(await story.faults()).toEqual([])
  })
})

describe.concurrent('a run that does not end', () => {
  test('in the database does not keep successors out', { timeout }, async ({ story }) => {
    const asleep = await story.join({ habit: 'sleeps' })
    await asleep.says('inside')
    await story.join()

    const killedAt = await story.now()
    asleep.send('SIGKILL')
    await story.leader(asleep)

    expect(await story.takenOverAfter(killedAt)).toBeLessThan(afterCrash)
    expect(await story.faults()).toEqual([])
  })

  test('in JavaScript costs its worker the chore', { timeout }, async ({ story }) => {
    const hung = await story.join({ habit: 'hangs', timeoutMs: 500 })
    await hung.says('inside')
    await story.join()
    await story.leader(hung)

    expect(await hows(story)).toContain('error')
    expect(hung.lines.some((line) => line.includes('a chore does not stop'))).toBe(true)
    expect(await story.faults()).toEqual([])
  })

  test('and blocks the whole process ends with its lease', { timeout }, async ({ story }) => {
    const other = await story.join({ chores: { ttlMs: 3_000, renewMs: 500 } })
    const leading = await story.leader()
    const blocked = await story.join({ habit: 'blocks' })
    await story.engine.resign('witness')
    await blocked.says('inside')
    const blockedAt = await story.now()

    expect(await story.leader(blocked)).toBe(leading)
    expect(leading).toBe(other)
    expect(await story.takenOverAfter(blockedAt)).toBeLessThan(afterCrash)
    expect(await story.faults()).toEqual([])
  })
})

/** How the terms of `witness` ended. */
async function hows({ engine }: Story): Promise<string[]> {
  const rows = await engine.rows<{ how: string }>(
    `select distinct how from terms where chore = 'witness' and how is not null`,
  )
  return rows.map(({ how }) => how)
}

/** How wrong the clock was by which the process said that it was ready. */
function minutesOff(lines: readonly string[]): string {
  const [, ms] = /ready at (\d+)/.exec(lines.join('\n')) ?? []
  return String(Math.round((Number(ms) - Date.now()) / 60_000))
}
