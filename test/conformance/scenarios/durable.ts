import { expect } from 'vitest'
import { durableVerbs } from '../../support/durable.ts'
import type { Scenario } from '../scenario.ts'

const hour = 3_600_000
const broken = { code: 'x', message: 'broken' }

/** Tasks that come after others, and tasks that take steps, wait and are woken. */
export const durable: readonly Scenario[] = [
  {
    name: 'a task comes after all it names, at its own time, also when some had ended',
    about: ['durable', 'store', 'end'],
    run: async ({ engine }) => {
      const ended = await engine.inState('done')
      const [a, b] = [
        await engine.enqueue({ queue: 'work' }),
        await engine.enqueue({ queue: 'work' }),
      ]
      const after = [a.id, b.id, ended.id]
      const next = await engine.enqueue({ queue: 'report', after })
      const runAt = new Date(Date.now() + hour)
      const later = await engine.enqueue({ queue: 'report', after: [a.id], runAt })
      await engine.complete(await engine.claimOne('work'))
      expect(await engine.task(later.id)).toMatchObject({ state: 'scheduled', run_at: runAt })
      expect(await engine.task(next.id)).toMatchObject({ waits: { after: { left: 1 } } })
      expect(await engine.claim('report')).toEqual([])
      await engine.complete(await engine.claimOne('work'))
      expect(await engine.claimOne('report')).toMatchObject({ id: next.id })
      expect(await engine.rows('select from awaits')).toEqual([])
    },
  },
  {
    name: 'after a failure a task fails, is skipped or runs, as it says, and so do those after it',
    about: ['durable', 'end', 'history'],
    run: async ({ engine }) => {
      const failed = await engine.enqueue({ queue: 'work', maxAttempts: 1 })
      const after = [failed.id]
      const fails = await engine.enqueue({ queue: 'report', after })
      const skips = await engine.enqueue({ queue: 'report', after, afterFailure: 'skip' })
      const runs = await engine.enqueue({ queue: 'report', after, afterFailure: 'run' })
      const last = await engine.enqueue({ queue: 'report', after: [skips.id] })
      await engine.fail(await engine.claimOne('work'), broken)
      const ended = { reason: 'dependency', error: { code: 'dependency' } }
      expect(await engine.task(fails.id)).toMatchObject({ state: 'failed', ...ended })
      expect(await engine.task(skips.id)).toMatchObject({ state: 'cancelled', ...ended })
      expect(await engine.task(last.id)).toMatchObject({ state: 'failed', ...ended })
      expect(await engine.claimOne('report')).toMatchObject({ id: runs.id })
      // The one that they come after has ended by now.
      const late = await engine.enqueue({ queue: 'report', after, afterFailure: 'skip' })
      expect(await engine.task(late.id)).toMatchObject({ state: 'cancelled', ...ended })
    },
  },
  {
    name: 'a task cannot come after one that does not exist, and nothing is stored',
    about: ['durable', 'store'],
    run: async ({ engine }) => {
      await expect(engine.enqueue({ queue: 'x', after: ['999999'] })).rejects.toMatchObject({
        code: 'task_not_found',
      })
      expect(await engine.rows('select from tasks')).toEqual([])
    },
  },
  {
    name: 'a batch runs its final task after all others, or as p_after_failure says',
    about: ['durable', 'store'],
    doors: 'one',
    run: async ({ engine }) => {
      const pages = `'[{"queue": "page", "max_attempts": 1}, {"queue": "page"}]'`
      const ids = await engine.rows<{ id: string }>(
        `select id::text from enqueue_batch(${pages}, '{"queue": "book"}', 'run') as id`,
      )
      const [first, second] = await engine.claim('page', { limit: 2 })
      if (first === undefined || second === undefined) throw new Error('no pages')
      await engine.fail(first, broken)
      expect(await engine.claim('book')).toEqual([])
      await engine.complete(second)
      expect(ids.map(({ id }) => id).slice(0, 2)).toEqual([first.id, second.id])
      expect(await engine.claimOne('book')).toMatchObject({ id: ids[2]?.id })
    },
  },
  {
    name: 'steps are stored once, in order, for the holder of the claim alone',
    about: ['durable', 'lease'],
    doors: 'one',
    run: async ({ engine }) => {
      const { save, steps } = durableVerbs(engine)
      const task = await engine.running()
      await save(task, 'b', 1)
      await save(task, 'b', 2)
      await save(task, 'a', null, 'retrying')
      await save(task, 'a', 3)
      const lost = await save({ ...task, claim: '999999' }, 'c', 4)
      expect(lost).toMatchObject([{ save_steps: task.id }])
      expect(await steps(task.id)).toEqual([
        { name: 'b', kind: 'step', state: 'done', attempt: 1, output: 1 },
        { name: 'a', kind: 'step', state: 'done', attempt: 2, output: 3 },
      ])
    },
  },
  {
    name: 'steps of one call keep their order, also of a task that shared its row',
    about: ['durable'],
    doors: 'one',
    run: async ({ engine }) => {
      await engine.rows(`select enqueue_many('[{"queue": "mail"}, {"queue": "mail"}]')`)
      const [task, other] = await engine.claim('mail', { limit: 2 })
      if (task === undefined || other === undefined) throw new Error('no pack')
      const lost = await engine.rows(
        'select save_steps($1, $2, $3)::text as id',
        [task.id, other.id, task.id, task.id],
        [task.claim, '999999', task.claim, task.claim],
        ['z', 'z', 'a', 'z'],
      )
      expect(lost).toEqual([{ id: other.id }])
      expect(await durableVerbs(engine).steps(task.id)).toMatchObject([
        { name: 'z', attempt: 1 },
        { name: 'a', attempt: 1 },
      ])
      expect(await durableVerbs(engine).steps(other.id)).toEqual([])
    },
  },
  {
    name: 'a delay that is over is done when the task reads its steps',
    about: ['durable'],
    doors: 'one',
    run: async ({ engine }) => {
      const { suspend } = durableVerbs(engine)
      const task = await engine.running()
      const waits = ['soon', 'later'].map((name) => ({ kind: 'delay', name, for: '1 hour' }))
      await suspend(task, ...waits)
      await engine.rows(`update tasks set run_at = now()`)
      await engine.rows(`update steps set until = now() where name = 'soon'`)
      const again = await engine.claimOne('mail')
      const read = 'select name, state from read_steps($1, $2)'
      await expect(engine.rows(read, task.id, '999999')).rejects.toThrow('no longer holds')
      expect(await engine.rows(read, again.id, again.claim)).toEqual([
        { name: 'soon', state: 'done' },
        { name: 'later', state: 'open' },
      ])
    },
  },
  {
    name: 'a task that waits gives its claim back, and a signal wakes it at once',
    about: ['durable', 'requeue'],
    doors: 'one',
    run: async ({ engine }) => {
      const { suspend, signal } = durableVerbs(engine)
      const wait = { kind: 'signal', name: 'paid', for: '1 day' }
      const task = await engine.running({ maxAttempts: 2 })
      expect(await suspend(task, wait)).toEqual([])
      expect(
        await engine.rows(
          "select claim, attempt, run_at > now() + interval '23 hours' as later from tasks",
        ),
      ).toEqual([{ claim: null, attempt: 0, later: true }])
      await signal(task.id, 'other')
      expect(await engine.claim('mail')).toEqual([])
      await signal(task.id, 'paid', { by: 'ada' })
      const again = await engine.claimOne('mail')
      expect(await suspend(again, wait)).toMatchObject([{ state: 'done', output: { by: 'ada' } }])
      expect(await engine.task(task.id)).toMatchObject({ state: 'running' })
    },
  },
  {
    name: 'signals are received once each, in order, also those that came before and for the key',
    about: ['durable', 'key'],
    doors: 'one',
    run: async ({ engine }) => {
      const { suspend, signal, signalKey } = durableVerbs(engine)
      await signalKey('mail', 'k', 'paid', 1)
      const task = await engine.running({ key: 'k' })
      await signal(task.id, 'paid', 2)
      await signalKey('mail', 'k', 'paid', 3)
      const other = await engine.running({ key: 'l' })
      expect(await suspend(other, { kind: 'signal', name: 'paid' })).toEqual([])
      const got: unknown[] = []
      for (const name of ['a', 'b', 'c'])
        got.push((await suspend(task, { kind: 'signal', name, signal: 'paid' }))[0])
      expect(got).toMatchObject([{ output: 1 }, { output: 2 }, { output: 3 }])
      expect(await suspend(task, { kind: 'signal', name: 'd', signal: 'paid' })).toEqual([])
      await signalKey('mail', 'k', 'paid', 4)
      expect(await engine.claimOne('mail')).toMatchObject({ id: task.id })
    },
  },
  {
    name: 'a delay ends when it was first said to, and a time-out gives no signal',
    about: ['durable'],
    doors: 'one',
    run: async ({ engine }) => {
      const { suspend } = durableVerbs(engine)
      const task = await engine.running()
      const over = { kind: 'delay', name: 'over', for: '-1 seconds' }
      expect(await suspend(task, over)).toMatchObject([{ name: 'over', state: 'done' }])
      const timedOut = { kind: 'signal', name: 's', for: '-1 seconds' }
      expect(await suspend(task, timedOut)).toMatchObject([{ state: 'done', output: null }])
      await suspend(task, { kind: 'delay', name: 'long', for: '1 hour' })
      await engine.rows(`update tasks set run_at = now()`)
      await suspend(await engine.claimOne('mail'), { kind: 'delay', name: 'long', for: '9 hours' })
      expect(await engine.value(`select run_at < now() + interval '2 hours' from tasks`)).toBe(true)
    },
  },
  {
    name: 'a signal to a task that has ended is refused and not kept',
    about: ['durable'],
    doors: 'one',
    run: async ({ engine }) => {
      const { signal } = durableVerbs(engine)
      const done = await engine.inState('done')
      await expect(signal(done.id, 'paid')).rejects.toMatchObject({ code: 'wrong_state' })
      await expect(signal('999999', 'paid')).rejects.toMatchObject({ code: 'task_not_found' })
      expect(await engine.rows('select from signals')).toEqual([])
    },
  },
  {
    name: 'a procedure can use a name once, and its steps need its token',
    about: ['durable', 'lease'],
    doors: 'one',
    run: async ({ engine, pool }) => {
      const task = await engine.running()
      const run = await engine.value<string>(
        `select jsonb_build_object('task', $1::text, 'claim', $2::text, 'token', procedure_token($1::bigint, $2::bigint))::text`,
        task.id,
        task.claim,
      )
      const client = await pool.connect()
      try {
        const session = engine.on(client)
        const begin = (value: string) =>
          session.rows(`select set_config('tusk.run', $1, false)`, value)
        await begin(run.replace(/"token": "../, '"token": "zz'))
        await expect(session.rows(`select keep_step('a', '1', now())`)).rejects.toThrow(
          'does not run a durable procedure',
        )
        await begin(run)
        await session.rows('select begin_procedure()')
        await session.rows(`select find_step('a', false)`)
        await session.rows(`select keep_step('a', '1', now())`)
        await expect(session.rows(`select find_step('a', false)`)).rejects.toThrow('used twice')
        await session.rows('select begin_procedure()')
        await expect(session.rows(`select find_step('b', false)`)).rejects.toThrow(`went on to 'a'`)
        expect(await session.rows(`select * from find_step('a', false)`)).toEqual([
          { is_done: true, output: 1 },
        ])
        await expect(session.rows('select end_procedure()')).rejects.toThrow('by itself')
        await engine.cancel(task.id)
        await expect(session.rows(`select keep_step('b', '1', now())`)).rejects.toThrow(
          'no longer holds',
        )
      } finally {
        client.release(true)
      }
    },
  },
]
