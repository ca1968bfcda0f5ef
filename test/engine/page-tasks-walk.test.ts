import { describe, expect } from 'vitest'
import type { TaskFilter } from '../../src/engine/looking.ts'
import type { ClaimedTask, NewTask, Task, TaskState } from '../../src/engine/task.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { Dice } from '../support/model.ts'
import type { TestEngine } from '../support/test-engine.ts'

const states: readonly TaskState[] = [
  ...(['scheduled', 'retrying', 'blocked', 'ready'] as const),
  ...(['running', 'done', 'failed', 'cancelled'] as const),
]
const queues = ['mail', 'post', 'held', 'full']
const later = new Date('2100-01-01')
/** Milliseconds; on a busy machine fewer filters are tried. */
const budget = 15_000
const workers = { w1: 'here', w2: 'there', w3: 'here' } as const
const names = Object.keys(workers) as (keyof typeof workers)[]
const errors = [
  { code: 'E1', message: 'no account 7' },
  { code: 'E1', message: 'no account "bob"' },
  { code: 'E2', message: 'Gone Fishing' },
]

type Shown = Task & { readonly fingerprint: string | null }

/** A task that may have anything that a filter may ask for. */
function randomTask(dice: Dice, n: number): NewTask {
  const chances: readonly [number, Partial<NewTask>][] = [
    [0.1, { kind: 'document' }],
    [0.3, { groups: dice.pick([['narrow'], ['wide'], ['wide', 'narrow']]) }],
    [0.3, { tags: dice.pick([['red'], ['red', 'blue']]) }],
    [0.3, { key: `k${n % 20}` }],
    [0.1, { freesKey: true }],
    [0.2, { runAt: later }],
    [0.1, { parent: '1' }],
  ]
  return {
    queue: dice.pick(queues),
    payload: dice.pick([{ to: 'Ada' }, { to: 'bob', n }, 'plain TEXT', 7]),
    handler: dice.pick(['send', 'print']),
    maxAttempts: dice.pick([1, 3]),
    ...Object.assign(
      {},
      ...chances.filter(([share]) => dice.chance(share)).map(([, more]) => more),
    ),
  }
}

/** Ends a task that runs, one way or another, or leaves it running. */
async function end(engine: TestEngine, dice: Dice, task: ClaimedTask): Promise<void> {
  await dice.pick([
    () => engine.complete(task),
    () => engine.fail(task, dice.pick(errors), { delay: '1 hour' }),
    () => engine.kill(task, dice.pick(errors)),
    () => engine.cancel(task.id),
    async () => undefined,
  ])()
}

/** Tasks of all sorts, in all states. */
async function populate(engine: TestEngine, dice: Dice): Promise<void> {
  for (const [id, host] of Object.entries(workers)) {
    await engine.rows(`select register_worker($1, '{mail}', 1, $2, 1, '1')`, id, host)
  }
  await engine.setGroup('narrow', { max_running: 1 })
  await engine.setQueue('full', { max_running: 1 })
  await engine.enqueueMany(range(90).map((n) => randomTask(dice, n)))
  for (const _ of range(25)) {
    const worker = dice.pick(names)
    const tasks = await engine.claim(dice.pick(queues), { limit: dice.pick([1, 2, 4]), worker })
    for (const task of tasks) await end(engine, dice, task)
  }
  await engine.setQueue('held', {})
  await engine.pause('held')
  // Milliseconds are all that a Date can carry.
  await engine.rows(
    `update tasks set created_at = date_trunc('milliseconds', created_at) - id * interval '1 minute'`,
  )
  await engine.rows(
    `update finished set created_at = date_trunc('milliseconds', created_at) - id * interval '1 minute',
                         finished_at = date_trunc('milliseconds', finished_at)`,
  )
}

/** Up to four conditions, one of them often on the state. */
function randomFilter(dice: Dice, tasks: readonly Shown[]): TaskFilter {
  const some = () => dice.pick(tasks)
  const time = () => new Date(some().created_at.getTime() + (dice.chance(0.5) ? 0 : 1))
  const conditions: readonly (() => TaskFilter)[] = [
    () => ({ queue: dice.pick([...queues, 'nowhere']) }),
    () => ({ state: dice.chance(0.5) ? dice.pick(states) : states.filter(() => dice.chance(0.3)) }),
    () => ({ state: dice.pick(states) }),
    () => ({ key: some().key ?? 'k1' }),
    () => ({ handler: dice.pick(['send', 'print', 'other']) }),
    () => ({ kind: dice.pick(['handler', 'document', 'sql'] as const) }),
    () => ({ tag: dice.pick(['red', 'blue', 'green']) }),
    () => ({ group: dice.pick(['narrow', 'wide', 'none']) }),
    () => ({ parent: '1' }),
    () => ({ reason: dice.pick(['error', 'killed', 'aborted', 'lost'] as const) }),
    () => ({ worker: dice.pick([...names, 'nobody']) }),
    () => ({ host: dice.pick(['here', 'there', 'nowhere']) }),
    () => ({ error: some().fingerprint ?? 'none' }),
    () => ({ code: dice.pick(['E1', 'E2', 'E3']) }),
    () => ({ text: dice.pick(['ada', 'BOB', 'text', 'fishing', 'no account']) }),
    () => ({ submittedBy: dice.pick([some().submitted_by, 'nobody']) }),
    () => ({ createdAfter: time(), createdBefore: time() }),
    () => ({ createdAfter: time() }),
    () => ({ runAfter: dice.pick([later, new Date(0)]) }),
    () => ({ runBefore: later }),
    () => ({ finishedAfter: some().finished_at ?? new Date(0) }),
    () => ({ finishedBefore: some().finished_at ?? new Date(0) }),
    () => ({ ids: range(5).map(() => some().id) }),
  ]
  const chosen = range(Math.floor(dice.next() * 4)).map(() => dice.pick(conditions)())
  return Object.assign({}, ...chosen) as TaskFilter
}

type Conditions = { readonly [Name in keyof TaskFilter]-?: (wanted: never, task: Shown) => boolean }

const contains = (whole: unknown, part: string) =>
  (typeof whole === 'string' ? whole : JSON.stringify(whole ?? null))
    .toLowerCase()
    .includes(part.toLowerCase())

/** What each condition means, said once more and in another language. */
const meaning: Conditions = {
  queue: (queue: string, task) => task.queue === queue,
  state: (state: TaskState | readonly TaskState[], task) => [state].flat().includes(task.state),
  key: (key: string, task) => task.key === key,
  handler: (handler: string, task) => task.handler === handler,
  kind: (kind: string, task) => task.kind === kind,
  tag: (tag: string, task) => task.tags?.includes(tag) ?? false,
  group: (group: string, task) => task.groups?.includes(group) ?? false,
  parent: (parent: string, task) => task.parent === parent,
  reason: (reason: string, task) => task.reason === reason,
  worker: (worker: string, task) => task.worker === worker,
  host: (host: string, task) => new Map(Object.entries(workers)).get(task.worker ?? '') === host,
  error: (fingerprint: string, task) => task.error !== null && task.fingerprint === fingerprint,
  code: (code: string, task) => (task.error as { code?: string } | null)?.code === code,
  text: (text: string, task) =>
    contains(task.payload, text) ||
    (task.error !== null && contains((task.error as { message?: string }).message, text)),
  submittedBy: (role: string, task) => task.submitted_by === role,
  createdAfter: (time: Date, task) => task.created_at >= time,
  createdBefore: (time: Date, task) => task.created_at < time,
  runAfter: (time: Date, task) => task.run_at >= time,
  runBefore: (time: Date, task) => task.run_at < time,
  finishedAfter: (time: Date, task) => task.finished_at !== null && task.finished_at >= time,
  finishedBefore: (time: Date, task) => task.finished_at !== null && task.finished_at < time,
  ids: (ids: readonly string[], task) => ids.includes(task.id),
}

function matching(tasks: readonly Shown[], filter: TaskFilter): string[] {
  const conditions = Object.entries(filter) as [keyof TaskFilter, never][]
  return tasks
    .filter((task) => conditions.every(([name, wanted]) => meaning[name](wanted, task)))
    .map(({ id }) => id)
}

/** All pages, one after the other; `between` happens after each. */
async function allPages(
  engine: TestEngine,
  filter: TaskFilter,
  limit: number,
  within: string,
  between: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const found: string[] = []
  for (let before: string | undefined; ; ) {
    const { tasks, next } = await engine.pageTasks(filter, { before, limit, within })
    expect(tasks.length).toBeLessThanOrEqual(limit)
    found.push(...tasks.map(({ id }) => id))
    if (next === null) return found
    expect(Number(next)).toBeLessThan(Number(before ?? Number.MAX_SAFE_INTEGER))
    before = next
    await between()
  }
}

describe('page_tasks', () => {
  test('finds what matches and nothing else, in windows of any size', {
    timeout: 600_000,
  }, async ({ engine }) => {
    const seed = Number(process.env['TUSK_MODEL_SEED'] ?? Date.now() % 1_000_000_000)
    const dice = new Dice(seed)
    await populate(engine, dice)
    const tasks = await engine.rows<Shown>(
      'select *, case when error is not null then fingerprint_of(error) end as fingerprint from task order by id desc',
    )
    expect(new Set(tasks.map(({ state }) => state)).size).toBeGreaterThan(5)

    const over = Date.now() + budget
    for (const _ of range(150)) {
      if (Date.now() > over) break
      const filter = randomFilter(dice, tasks)
      const [limit, within] = dice.pick([
        [1, '0'],
        [3, '0'],
        [7, '0'],
        [50, '1 minute'],
        [1000, '1 minute'],
      ] as const)
      const reported = `TUSK_MODEL_SEED=${seed} ${limit} ${within} ${JSON.stringify(filter)}`

      const expected = matching(tasks, filter)

      expect(await allPages(engine, filter, limit, within), reported).toEqual(expected)
      expect(await engine.countTasks(filter, { within: '1 minute' }), reported).toEqual({
        count: expected.length,
        exact: true,
      })
    }
  })

  test('repeats and loses no task while tasks change their states', async ({ engine }) => {
    const dice = new Dice(11)
    const made = await engine.enqueueMany(range(60).map(() => ({ queue: 'mail' })))
    const stir = async () => {
      await engine.completeMany(await engine.claim('mail', { limit: 3 }))
      await engine.cancel(dice.pick(made).id).catch(() => undefined)
      await engine.retry(dice.pick(made).id).catch(() => undefined)
      await engine.enqueue({ queue: 'mail' })
    }

    const found = await allPages(engine, {}, 2, '0', stir)

    const there = new Set(made.map(({ id }) => id))
    const newest = [...there].sort((a, b) => Number(b) - Number(a))
    expect(found.filter((id) => there.has(id))).toEqual(newest)
    expect(new Set(found).size).toBe(found.length)
  })
})
