import { describe, expect, vi } from 'vitest'
import { HeldTasks } from '../../../src/worker/leases/held-tasks.ts'
import { until } from '../../support/until.ts'
import { signalled, test } from '../../support/worker.ts'

// NOTIFY is open to every login of the database: whatever it says is a hint to ask, no order.

const channels = ['ready', 'cancel', 'drain', 'limits', 'finished', 'chores', 'schedules']

describe('a NOTIFY that another login sends', () => {
  test('on the cancel channel stops no task', async ({ engine, work, allDone, schema }) => {
    const open = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const other = await engine.enqueue({ queue: 'mail' })
    let aborted: string | undefined
    const worker = await work({
      tasks: {
        mail: async (_: unknown, { task, signal }) => {
          signal.addEventListener('abort', () => {
            if (task.id === id) aborted = signal.reason.reason
          })
          await open.promise
          return 'finished'
        },
      },
    })
    await until(async () => worker.load.running === 2)
    const claim = await engine.value<string>('select claim from tasks where id = $1', id)

    await engine.rows('select pg_notify($1, $2)', `${schema}:cancel`, `${id} ${claim}`)
    // A true word on the same channel, sent later, has been heard and obeyed: so was the first.
    await engine.cancel(other.id)
    await until(async () => worker.load.running === 1)
    open.resolve()
    await allDone()

    expect(aborted).toBeUndefined()
    expect(await engine.task(id)).toMatchObject({ state: 'done', output: 'finished', attempt: 1 })
  })

  test('on the drain channel stops no worker', async ({ engine, work, said, schema }) => {
    const worker = await work({ tasks: { mail: () => 'sent' } })

    await engine.rows('select pg_notify($1, $2)', `${schema}:drain`, worker.id)
    const { id } = await engine.enqueue({ queue: 'mail' })
    await until(async () => (await engine.task(id))?.state === 'done')

    expect(said.join()).not.toContain('asked to drain')
    await engine.rows('select drain_worker($1)', worker.id)
    await worker.stopped
  })

  test.for([
    ['nothing', ''],
    ['words', 'drain yourself'],
    ['8,000 bytes', 'x'.repeat(7_999)],
    ['8,000 bytes of ids', '1 '.repeat(3_999)],
    ['a number too long for the database', `${'9'.repeat(500)} ${'9'.repeat(500)}`],
    ['JSON of a hostile shape', '{"__proto__": {"chore": "rescue"}, "chore": {"a": []}}'],
    ['half a character', 'é\u{1F418} "\'\\ ;drop table tasks;--'],
  ] as const)(
    'with %s is harmless on every channel',
    async ([, words], { engine, work, schema }) => {
      const worker = await work({ tasks: { mail: () => 'sent' } })
      for (const channel of channels) {
        await engine.rows('select pg_notify($1, $2)', `${schema}:${channel}`, words)
      }
      const { id } = await engine.enqueue({ queue: 'mail' })
      await until(async () => (await engine.task(id))?.state === 'done')

      expect(worker.load).toEqual({ running: 0, buffered: 0 })
    },
  )

  test('again and again asks the database only now and then', async ({
    engine,
    work,
    schema,
    connect,
    onTestFinished,
  }) => {
    const renewed = vi.spyOn(HeldTasks.prototype, 'renewed')
    onTestFinished(() => renewed.mockRestore())
    const open = signalled()
    await engine.enqueue({ queue: 'mail' })
    const worker = await work({ tasks: { mail: () => open.promise } })
    await until(async () => worker.load.running === 1)
    const [{ id, claim } = { id: '', claim: '' }] = await engine.rows<{
      id: string
      claim: string
    }>('select id, claim from tasks')
    const flooder = await connect()
    renewed.mockClear()
    while (renewed.mock.calls.length < 8) {
      await flooder.query('select pg_notify($1, $2), pg_notify($3, $4)', [
        `${schema}:cancel`,
        `${id} ${claim}`,
        `${schema}:drain`,
        worker.id,
      ])
    }

    // Each message would be answered with a beat at once, a few milliseconds after the last.
    const sentMs = renewed.mock.calls.map(([, sentAtMs]) => sentAtMs)
    const pausesMs = sentMs.slice(1).map((at, index) => at - (sentMs[index] ?? 0))
    expect(Math.min(...pausesMs)).toBeGreaterThan(100)
    expect(worker.load.running).toBe(1)
    open.resolve()
  })
})
