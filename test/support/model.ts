import type { ClaimedTask } from '../../src/engine/task.ts'

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** One of these. */
  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('nothing to pick from')
    return from[Math.floor(this.next() * from.length)] as T
  }

  chance(share: number): boolean {
    return this.next() < share
  }
}

export type ModelState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'

export interface ModelTask {
  readonly id: string
  readonly queue: string
  readonly groups: readonly string[]
  readonly key: string | null
  readonly maxAttempts: number
  priority: number
  state: ModelState
  attempt: number
  iteration: number
  due: boolean
  claim: string | null
}

/** What a refused verb answers, or null when it goes through. */
export type Refusal = 'lease_lost' | 'task_not_found' | 'wrong_state' | 'key_taken' | null

const ended: readonly ModelState[] = ['done', 'failed', 'cancelled']

/** The engine as it ought to be, in memory: states, attempts, keys and limits. */
export class Model {
  readonly tasks = new Map<string, ModelTask>()
  readonly paused = new Set<string>()
  readonly limits = new Map<string, number>()
  /** Of each queue, the limit of its groups that have none of their own. */
  readonly commonLimits = new Map<string, number>()
  /** Queues that go round their groups. */
  readonly fair = new Set<string>()

  get(id: string): ModelTask {
    const task = this.tasks.get(id)
    if (task === undefined) throw new Error(`the model has no task ${id}`)
    return task
  }

  live(queue: string, key: string): ModelTask | undefined {
    return [...this.tasks.values()].find(
      (task) => task.queue === queue && task.key === key && !ended.includes(task.state),
    )
  }

  add(task: Omit<ModelTask, 'state' | 'attempt' | 'iteration' | 'claim'>): void {
    this.tasks.set(task.id, { ...task, state: 'queued', attempt: 0, iteration: 0, claim: null })
  }

  /** What a word about a task is answered when it comes with this claim. */
  heldBy(id: string, claim: string): Refusal {
    const task = this.tasks.get(id)
    if (task === undefined) return 'task_not_found'
    return task.state === 'running' && task.claim === claim ? null : 'lease_lost'
  }

  /** What an operator is answered who wants a task in one of these states. */
  inState(id: string, ...states: ModelState[]): Refusal {
    const task = this.tasks.get(id)
    if (task === undefined) return 'task_not_found'
    return states.includes(task.state) ? null : 'wrong_state'
  }

  end(id: string, state: ModelState): void {
    Object.assign(this.get(id), { state, claim: null })
  }

  requeue(id: string, change: Partial<ModelTask>): void {
    Object.assign(this.get(id), { state: 'queued', claim: null, ...change })
  }

  /** After an attempt that did not succeed: again, or over. */
  endAttempt(id: string, due: boolean): void {
    const task = this.get(id)
    if (task.attempt < task.maxAttempts) this.requeue(id, { due })
    else this.end(id, 'failed')
  }

  running(name: string): number {
    return [...this.tasks.values()].filter(
      ({ state, queue, groups }) =>
        state === 'running' && (queue === name || groups.includes(name)),
    ).length
  }

  #room(name: string, common = Number.POSITIVE_INFINITY): number {
    if (this.paused.has(name)) return 0
    return (this.limits.get(name) ?? common) - this.running(name)
  }

  #mayStart(task: ModelTask): boolean {
    return (
      task.state === 'queued' &&
      task.due &&
      this.#room(task.queue) > 0 &&
      task.groups.every((name) => this.#room(name, this.commonLimits.get(task.queue)) > 0)
    )
  }

  /** Follows a claim task by task; gives what was wrong with it. */
  claim(queue: string, limit: number, handed: readonly ClaimedTask[]): string[] {
    const faults: string[] = []
    if (handed.length > limit) faults.push(`${handed.length} tasks for a limit of ${limit}`)
    for (const { id, claim, attempt } of handed) {
      const task = this.get(id)
      if (task.queue !== queue || !this.#mayStart(task)) faults.push(`task ${id} must not start`)
      Object.assign(task, { state: 'running', claim, attempt: task.attempt + 1 })
      if (attempt !== task.attempt) faults.push(`task ${id} has attempt ${attempt}`)
    }
    // A fair queue gives each group its share, in turn: neither in order of priority over all of
    // them, nor as many as one group could have.
    if (this.fair.has(queue)) return faults
    const priorities = handed.map(({ priority }) => priority)
    if (priorities.some((priority, index) => priority > (priorities[index - 1] ?? priority))) {
      faults.push(`priorities ${priorities} are out of order`)
    }
    if (handed.length < limit) {
      const left = [...this.tasks.values()].filter(
        (task) => task.queue === queue && this.#mayStart(task),
      )
      faults.push(...left.map(({ id }) => `task ${id} could have started`))
    }
    return faults
  }

  /** All tasks as the database should have them. */
  census(): Record<string, string> {
    return Object.fromEntries(
      [...this.tasks.values()].map(({ id, state, attempt, iteration, claim }) => [
        id,
        `${state} ${attempt} ${iteration} ${claim ?? '-'}`,
      ]),
    )
  }
}
