import { describe, expect } from 'vitest'
import type { Enqueued, NewTask } from '../../src/engine/task.ts'
import { faults } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { Dice, Model, type Refusal } from '../support/model.ts'
import type { TestEngine } from '../support/test-engine.ts'

const sequences = 250
/** A slow machine walks fewer of them, in as many milliseconds. */
const budget = 25_000
const steps = 30
const queues = ['mail', 'letters'] as const
/** Each group belongs to one queue, so that its next in line is never out of a claim's sight. */
const groupsOf = { mail: ['a', 'b', '1'], letters: ['c'] } as const
const inAnHour = () => new Date(Date.now() + 3_600_000)

/** One random walk through the verbs, on the engine and on the model at once. */
class Walk {
  readonly model = new Model()
  readonly reported: string[] = []
  readonly #dice: Dice
  readonly #engine: TestEngine
  readonly #held: { id: string; claim: string }[] = []
  readonly #ids: string[] = ['0']

  constructor(engine: TestEngine, seed: number) {
    this.#engine = engine
    this.#dice = new Dice(seed)
  }

  async step(): Promise<void> {
    const name = this.#dice.pick(Object.keys(this.#deeds))
    this.reported.push(name)
    await this.#deeds[name]?.()
  }

  /** The verb must answer as the model says, and only then does the model follow. */
  async #expect(refusal: Refusal, verb: Promise<unknown>, follow: () => void): Promise<void> {
    if (refusal === null) {
      await verb
      follow()
    } else await expect(verb).rejects.toMatchObject({ code: refusal })
  }

  #some(): { id: string; claim: string } {
    return this.#held.length === 0 ? { id: '0', claim: '0' } : this.#dice.pick(this.#held.slice(-8))
  }

  #task(): NewTask & { readonly queue: (typeof queues)[number] } {
    const dice = this.#dice
    const queue = dice.pick(queues)
    const groups = groupsOf[queue].filter(() => dice.chance(0.4))
    return {
      queue,
      priority: dice.pick([0, 1]),
      maxAttempts: dice.pick([1, 2, 3]),
      ...(groups.length > 0 && { groups }),
      ...(dice.chance(0.3) && {
        key: dice.pick(['k', 'l']),
        onDuplicate: dice.pick(['keep', 'replace'] as const),
      }),
      ...(dice.chance(0.2) && { runAt: inAnHour() }),
    }
  }

  async #enqueue(tasks: readonly NewTask[]): Promise<void> {
    const answers = await this.#engine.enqueueMany(tasks)
    expect(answers).toHaveLength(tasks.length)
    for (const [index, task] of tasks.entries()) this.#follow(task, answers[index])
  }

  #follow(task: NewTask, answer: Enqueued | undefined): void {
    const there = task.key === undefined ? undefined : this.model.live(task.queue, task.key)
    const { queue, groups = [], key = null, maxAttempts = 5, priority = 0, runAt } = task
    const id = there?.id ?? answer?.id ?? ''
    if (there === undefined) {
      expect(answer).toEqual({ id, outcome: 'created' })
      this.model.add({ id, queue, groups, key, maxAttempts, priority, due: runAt === undefined })
      this.#ids.push(id)
      return
    }
    const replaced = task.onDuplicate === 'replace' && there.state === 'queued'
    expect(answer).toEqual({ id, outcome: replaced ? 'replaced' : 'kept' })
    if (replaced) Object.assign(there, { priority, ...(runAt !== undefined && { due: false }) })
  }

  readonly #deeds: Record<string, () => Promise<unknown>> = {
    enqueue: () => this.#enqueue([this.#task()]),
    enqueueMany: () => this.#enqueue(range(this.#dice.pick([2, 4])).map(() => this.#task())),
    // Those without groups and key share a row.
    enqueueAlike: () => {
      const { groups: _, key: __, onDuplicate: ___, ...task } = this.#task()
      return this.#enqueue(range(this.#dice.pick([2, 5])).map(() => task))
    },
    claim: () => this.#claim(this.#dice.pick(queues), this.#dice.pick([1, 3])),
    claimMore: () => this.#claim(this.#dice.pick(queues), 10),
    complete: () => {
      const held = this.#some()
      const refusal = this.model.heldBy(held.id, held.claim)
      return this.#expect(refusal, this.#engine.complete(held), () =>
        this.model.end(held.id, 'done'),
      )
    },
    fail: () => {
      const held = this.#some()
      const delay = this.#dice.pick(['0', '1 hour'])
      const verb = this.#engine.fail(held, null, { delay })
      return this.#expect(this.model.heldBy(held.id, held.claim), verb, () =>
        this.model.endAttempt(held.id, delay === '0'),
      )
    },
    reject: () => {
      const held = this.#some()
      const verb = this.#engine.reject(held, null, '1 hour')
      return this.#expect(this.model.heldBy(held.id, held.claim), verb, () =>
        this.model.endAttempt(held.id, false),
      )
    },
    kill: () => {
      const held = this.#some()
      return this.#expect(this.model.heldBy(held.id, held.claim), this.#engine.kill(held), () =>
        this.model.end(held.id, 'failed'),
      )
    },
    reschedule: () => {
      const held = this.#some()
      const due = this.#dice.chance(0.5)
      const verb = this.#engine.reschedule(held, due ? new Date(0) : inAnHour())
      return this.#expect(this.model.heldBy(held.id, held.claim), verb, () =>
        this.model.requeue(held.id, {
          due,
          attempt: 0,
          iteration: this.model.get(held.id).iteration + 1,
        }),
      )
    },
    release: async () => {
      const held = this.#some()
      const released = await this.#engine.release([held])
      const holds = this.model.heldBy(held.id, held.claim) === null
      expect(released).toEqual(holds ? [held.id] : [])
      if (holds) this.model.requeue(held.id, { attempt: this.model.get(held.id).attempt - 1 })
    },
    rescue: async () => {
      const { claim } = this.#some()
      await this.#engine.rows('update claims set expires_at = claimed_at where id = $1', claim)
      const lost = [...this.model.tasks.values()].filter((task) => task.claim === claim)
      expect(await this.#engine.rescue()).toHaveLength(lost.length)
      for (const { id, due } of lost) this.model.endAttempt(id, due)
    },
    cancel: () => {
      const id = this.#dice.pick(this.#ids)
      const refusal = this.model.inState(id, 'queued', 'running')
      return this.#expect(refusal, this.#engine.cancel(id), () => this.model.end(id, 'cancelled'))
    },
    delete: () => {
      const id = this.#dice.pick(this.#ids)
      const refusal = this.model.tasks.has(id) ? null : 'task_not_found'
      return this.#expect(refusal, this.#engine.delete(id), () => this.model.tasks.delete(id))
    },
    retry: () => {
      const id = this.#dice.pick(this.#ids)
      const task = this.model.tasks.get(id)
      const refusal = this.model.inState(id, 'done', 'failed', 'cancelled')
      const taken = refusal === null && task?.key != null && this.model.live(task.queue, task.key)
      return this.#expect(taken ? 'key_taken' : refusal, this.#engine.retry(id), () =>
        this.model.requeue(id, { attempt: 0, due: true }),
      )
    },
    move: () => {
      const id = this.#dice.pick(this.#ids)
      const due = this.#dice.chance(0.5)
      const verb = this.#engine.move(id, due ? new Date(0) : inAnHour())
      return this.#expect(this.model.inState(id, 'queued'), verb, () => {
        this.model.get(id).due = due
      })
    },
    rollUp: async () => {
      await this.#engine.rows('select roll_up(5)')
    },
    pause: () => this.#pause(this.#dice.pick(queues), (name) => this.#engine.pause(name)),
    resume: () => this.#resume(this.#dice.pick(queues), (name) => this.#engine.resume(name)),
    pauseGroup: () => this.#pause(this.#group(), (name) => this.#engine.pauseGroup(name)),
    resumeGroup: () => this.#resume(this.#group(), (name) => this.#engine.resumeGroup(name)),
    limitGroup: () =>
      this.#limit(this.#group(), (name, limit) => this.#engine.setGroup(name, limit)),
    limitQueue: () =>
      this.#limit(this.#dice.pick(queues), (name, limit) => this.#engine.setQueue(name, limit)),
    limitGroupsOfQueue: async () => {
      const queue = this.#dice.pick(queues)
      const limit = this.#dice.pick([1, 2, null])
      await this.#engine.setQueue(queue, { group_max_running: limit })
      if (limit === null) this.model.commonLimits.delete(queue)
      else this.model.commonLimits.set(queue, limit)
    },
    makeFair: async () => {
      const queue = this.#dice.pick(queues)
      await this.#engine.setQueue(queue, { is_fair: true })
      this.model.fair.add(queue)
    },
    makeUnfair: async () => {
      const queue = this.#dice.pick(queues)
      await this.#engine.setQueue(queue, { is_fair: false })
      this.model.fair.delete(queue)
    },
  }

  #group(): string {
    return this.#dice.pick([...groupsOf.mail, ...groupsOf.letters])
  }

  async #claim(queue: string, limit: number): Promise<void> {
    const handed = await this.#engine.claim(queue, { limit })
    this.#held.push(...handed.map(({ id, claim }) => ({ id, claim })))
    expect(this.model.claim(queue, limit, handed)).toEqual([])
  }

  async #pause(name: string, verb: (name: string) => Promise<void>): Promise<void> {
    if (this.#dice.chance(0.5)) return
    await verb(name)
    this.model.paused.add(name)
  }

  async #resume(name: string, verb: (name: string) => Promise<void>): Promise<void> {
    await verb(name)
    this.model.paused.delete(name)
  }

  async #limit(
    name: string,
    verb: (name: string, limit: { max_running: number | null }) => Promise<void>,
  ): Promise<void> {
    const limit = this.#dice.pick([1, 2, 3, null])
    await verb(name, { max_running: limit })
    if (limit === null) this.model.limits.delete(name)
    else this.model.limits.set(name, limit)
  }
}

/**
 * All that is stored, and all that is wrong with it, in one statement that is planned once. A task is
 * stranded that waits for a group although no task is there to hand over to it.
 */
const look = `
  prepare look as
  select (id + n)::text as id, concat_ws(' ', case when claim is null then 'queued' else 'running' end, attempt, iteration, coalesce(claim::text, '-')) as reported
  from tasks cross join generate_series(0, 31) as n where n < size
  union all
  select (id + n)::text, concat_ws(' ', state, attempt, iteration, '-')
  from finished cross join generate_series(0, 31) as n where n < size
  union all
  select 'fault', fault from (${faults}) as books
  union all
  select 'fault', format('queue %s has %s tasks, %s running, but its counters say %s and %s', reported.queue, really.n, really.running, reported.depth, reported.running)
  from queue_total as reported
  cross join lateral (
    select coalesce(sum(size), 0) as n, coalesce(sum(size) filter (where claim is not null), 0) as running
    from tasks where tasks.queue = reported.queue
  ) as really
  where (reported.depth, reported.running) <> (really.n, really.running)
  union all
  select 'fault', format('task %s is stranded in group %s', parked.id, parked.parked_on)
  from tasks as parked
  join groups on groups.name = parked.parked_on
  where groups.paused_at is null
    and not exists (
      select from tasks as other
      where parked.parked_on = any (other.groups)
        and (other.claim is not null or (other.parked_on is null and other.run_at <= clock_timestamp()))
    )`

async function check(engine: TestEngine, model: Model): Promise<void> {
  const rows = await engine.rows<{ id: string; reported: string }>('execute look')
  expect(Object.fromEntries(rows.map(({ id, reported }) => [id, reported]))).toEqual(model.census())
}

/** Everything is let go and worked off; what then still lives was stranded. */
async function finale(engine: TestEngine): Promise<void> {
  for (const group of [...groupsOf.mail, ...groupsOf.letters]) await engine.resumeGroup(group)
  for (const queue of queues) await engine.resume(queue)
  for (const queue of queues) await engine.setQueue(queue, { is_fair: false })
  await engine.rows('update claims set expires_at = claimed_at')
  await engine.rescue()
  await engine.rows(`select move(id, '2000-01-01') from task where finished_at is null`)
  for (const queue of queues) {
    for (let tasks = [await engine.claimOne(queue).catch(() => null)]; tasks.length > 0; ) {
      await engine.completeMany(tasks.filter((task) => task !== null))
      tasks = await engine.claim(queue, { limit: 5 })
    }
  }
  expect(await engine.rows('select id, parked_on from tasks')).toEqual([])
  await engine.rows(
    `with t as (delete from tasks), f as (delete from finished), k as (delete from keys), a as (delete from attempts),
          g as (delete from groups), d as (delete from deltas), c as (delete from totals) delete from queues where name <> '*'`,
  )
}

describe('random walks through the verbs', () => {
  test('go as the model says', async ({ engine, connect }) => {
    const first = Number(process.env['TUSK_MODEL_SEED'] ?? Date.now() % 1_000_000_000)
    const own = engine.on(await connect())
    await own.rows(look)
    await own.rows(`select set_queue(name, '{}') from unnest('{${queues}}'::text[]) as name`)
    const over = Date.now() + budget
    for (const index of range(sequences)) {
      if (Date.now() > over) break
      const walk = new Walk(own, first + index)
      try {
        for (const _ of range(steps)) {
          await walk.step()
          await check(own, walk.model)
        }
        await finale(own)
      } catch (error) {
        const reported = `TUSK_MODEL_SEED=${first + index}, after ${walk.reported.join(', ')}`
        throw new Error(`${reported}: ${error}`, { cause: error })
      }
    }
  })
})
