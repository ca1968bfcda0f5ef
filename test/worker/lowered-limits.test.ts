import { describe, expect, vi } from 'vitest'
import type { WorkerOptions } from '../../src/worker/options.ts'
import { Executor } from '../../src/worker/run/executor.ts'
import type { Worker } from '../../src/worker/worker.ts'
import { faultsIn } from '../support/books.ts'
import { member, range } from '../support/crowd.ts'
import type { TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

const total = 400
/** So many are quick, which makes the worker claim ahead; then one stays. */
const quick = 100

/** A worker with one task running and others in its buffer. */
async function claimedAhead(
  engine: TestEngine,
  work: (options: Partial<WorkerOptions>) => Promise<Worker>,
) {
  const gate = signalled()
  const started: string[] = []
  await engine.enqueueMany(range(total).map(() => ({ queue: 'mail', groups: ['g'] })))
  const worker = await work({
    concurrency: 1,
    tasks: {
      mail: async (_payload: unknown, { task }: { task: { id: string } }) => {
        started.push(task.id)
        if (started.length > quick) await gate.promise
      },
    },
  })
  await until(async () => started.length > quick && worker.load.buffered > 0)
  return { worker, started, open: gate.resolve }
}

const running = (engine: TestEngine) =>
  engine.value<number>('select coalesce(sum(size), 0)::int from tasks where claim is not null')

describe('a worker gives back what it has claimed and not started', () => {
  const changes: Record<string, (engine: TestEngine) => Promise<unknown>> = {
    'when the limit of the queue is lowered': (engine) =>
      engine.setQueue('mail', { max_running: 1 }),
    'when the limit of a group is lowered': (engine) => engine.setGroup('g', { max_running: 1 }),
    'when the queue is paused': (engine) => engine.pause('mail'),
    'when a group is paused': (engine) => engine.pauseGroup('g'),
  }
  for (const [name, change] of Object.entries(changes)) {
    test(name, async ({ engine, work, allDone }) => {
      const { worker, started, open } = await claimedAhead(engine, work)

      await change(engine)
      await until(async () => (await running(engine)) === 1)

      expect(worker.load).toEqual({ running: 1, buffered: 0 })
      expect(started).toHaveLength(quick + 1)
      await engine.resume('mail')
      await engine.resumeGroup('g')
      open()
      await allDone()
      expect(new Set(started).size).toBe(total)
      expect(started).toHaveLength(total)
      expect(
        await engine.value('select coalesce(sum(size), 0)::int from finished where attempt = 1'),
      ).toBe(total)
      expect(await faultsIn(engine)).toEqual([])
    })
  }
  test('when the queue is paused while a claim is under way', async ({
    engine,
    connect,
    work,
    allDone,
    onTestFinished,
  }) => {
    const heard = vi.spyOn(Executor.prototype, 'giveBack')
    const received = vi.spyOn(Executor.prototype, 'receive')
    onTestFinished(() => void vi.restoreAllMocks())
    const started: string[] = []
    await work({ tasks: { mail: (_, { task }) => void started.push(task.id) } })
    const holder = await member(engine, connect)
    await holder.rows('begin')
    await holder.rows('lock table claims in share mode')
    const pid = await holder.value('select pg_backend_pid()')
    await engine.enqueueMany(range(5).map(() => ({ queue: 'mail' })))
    await until(() =>
      engine.value(
        'select exists (select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)))',
        pid,
      ),
    )

    await engine.pause('mail')
    await until(async () => heard.mock.calls.length > 0)
    await holder.rows('commit')
    await until(async () => received.mock.calls.some(([rows]) => rows.length > 0))
    await until(async () => (await running(engine)) === 0)

    expect(started).toEqual([])
    await engine.resume('mail')
    await allDone()
    expect(started).toHaveLength(5)
    expect(
      await engine.value('select coalesce(sum(size), 0)::int from finished where attempt = 1'),
    ).toBe(5)
  })
})
