import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, inject } from 'vitest'
import { shortTimes, test } from '../support/leadership.ts'
import { openProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

const timeout = 300_000
/**
 * Seconds until another leads after a crash: 15 are promised, and a busy machine may take longer. After
 * a clean exit it takes one; a successor that had to wait for the lease would need ten.
 */
const afterCrash = 60
const afterCleanExit = 9

describe.concurrent('a leader that is gone', () => {
  test('is followed when it was killed, and before its lease is over when it left', {
    timeout,
  }, async ({ story }) => {
    const usual = { chores: {} }
    const doomed = await story.join(usual)
    await story.leader()
    await story.join(usual)

    const killedAt = await story.now()
    doomed.send('SIGKILL')
    const second = await story.leader(doomed)
    expect(await story.takenOverAfter(killedAt)).toBeLessThan(afterCrash)
    await until(async () => (await story.outcomes()).join() === 'fired,skipped')

    await story.join(usual)
    second.send('SIGTERM')
    await second.ended
    await story.leader(second)
    const handedOver = await story.engine.rows<{ how: string; seconds: number }>(
      `select distinct old.how, max(extract(epoch from new.acquired_at - old.ended_at)) over ()::float8 as seconds
       from terms as old join terms as new on new.chore = old.chore and new.term = old.term + 1
       where old.worker = $1`,
      second.id,
    )
    expect(handedOver).toMatchObject([{ how: 'shutdown' }])
    expect(handedOver[0]?.seconds).toBeLessThan(afterCleanExit)
    expect(await story.faults()).toEqual([])
  })

  test('is not taken for another process of its host, or for the one before it', {
    timeout,
  }, async ({ story }) => {
    let leading = await story.join()
    await story.leader()
    for (const _ of [1, 2]) {
      // Host and place are the same; only what is random per start tells them apart.
      const other = await story.join()
      leading.send('SIGKILL')
      expect(await story.leader(leading)).toBe(other)
      leading = other
    }

    const ids = await story.engine.rows(`select distinct worker from terms`)
    const hosts = await story.engine.rows(`select distinct host from worker`)
    expect([ids.length, hosts.length]).toEqual([3, 1])
    expect(await story.faults()).toEqual([])
  })
})

describe.concurrent('a leader that was frozen for twice its lease', () => {
  test('in the middle of a transaction can commit nothing of it', { timeout }, async ({
    story,
  }) => {
    const frozen = await story.join({ habit: 'dwells' })
    await story.join()
    await frozen.says('inside')

    const frozenAt = await story.now()
    frozen.send('SIGSTOP')
    await pause(2 * shortTimes.ttlMs)
    await story.hasWritten(await story.leader(frozen))
    frozen.send('SIGCONT')
    await frozen.says('leads a chore no longer')

    expect(await story.takenOverAfter(frozenAt)).toBeLessThan(afterCrash)
    expect(await story.faults()).toEqual([])
  })

  test('is refused by the database if it goes on regardless', { timeout }, async ({ story }) => {
    const frozen = await story.join({ habit: 'deaf' })
    await story.leader()
    await story.join()

    frozen.send('SIGSTOP')
    await pause(2 * shortTimes.ttlMs)
    await story.hasWritten(await story.leader(frozen))
    frozen.send('SIGCONT')
    await frozen.says(': TK007')

    expect(await story.faults()).toEqual([])
  })
})

describe.concurrent('a leader that is cut off from the database', () => {
  for (const way of ['cut', 'silence'] as const) {
    test(`by a ${way} steps down by itself, and can lead again when it is back`, {
      timeout,
    }, async ({ story, onTestFinished }) => {
      const proxy = await openProxy(inject('pgUrl'))
      onTestFinished(() => proxy.close())
      const lost = await story.join({ url: proxy.url, habit: 'dwells' })
      await lost.says('inside')
      const other = await story.join()

      const lostAt = await story.now()
      proxy[way]()
      await lost.says('the lease could not be renewed in time')
      await story.hasWritten(await story.leader(lost))
      expect(await story.takenOverAfter(lostAt)).toBeLessThan(afterCrash)

      proxy.restore()
      await lost.says('the database is back')
      other.send('SIGTERM')
      expect(await story.leader(other)).toBe(lost)
      expect(await story.faults()).toEqual([])
    })
  }

  test('in the middle of a statement holds no worker up for longer', { timeout }, async ({
    story,
    onTestFinished,
  }) => {
    const proxy = await openProxy(inject('pgUrl'))
    onTestFinished(() => proxy.close())
    // The server does not know that no client waits for the answer: nothing but its own clock can help.
    await story.join({ url: proxy.url, habit: 'sleeps', chores: {} })
    await until(() =>
      story.engine.value(
        `select exists (select from pg_stat_activity where state = 'active' and query = 'select pg_sleep(600)'
                          and application_name = current_schema())`,
      ),
    )
    const lost = await story.leader()
    await story.join({ chores: {} })

    const lostAt = await story.now()
    proxy.silence()
    await story.leader(lost)

    expect(await story.takenOverAfter(lostAt)).toBeLessThan(afterCrash)
    expect(await story.faults()).toEqual([])
  })
})
