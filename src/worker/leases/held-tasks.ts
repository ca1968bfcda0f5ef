import type { AbortReason } from '../../tasks/context.ts'
import type { HeldTask, Lease } from './held-task.ts'

/** What a worker holds at a moment, as array literals for heartbeat(). */
export interface HeldTasksSnapshot {
  readonly ids: string
  readonly claims: string
  readonly started: string
  readonly claimIds: readonly string[]
  readonly running: number
  readonly buffered: number
}

/**
 * Everything the worker has claimed whose outcome is not reported yet, and how far each lease can be trusted.
 *
 * A lease is trusted until the moment its last renewal was *sent*, plus its length, less a margin,
 * all on the monotonic clock: the database began to count later than that, so the worker always
 * gives up before another worker can claim its tasks.
 */
export class HeldTasks {
  readonly #tasks = new Map<string, HeldTask>()
  readonly #trustMs: number

  constructor(leaseMs: number) {
    this.#trustMs = leaseMs - Math.min(2_000, leaseMs / 4)
  }

  get size(): number {
    return this.#tasks.size
  }

  get(id: string): HeldTask | undefined {
    return this.#tasks.get(id)
  }

  all(): HeldTask[] {
    return [...this.#tasks.values()]
  }

  /** How long a lease can be trusted that was asked for at this moment. */
  trustedUntil(sentAtMs: number): number {
    return sentAtMs + this.#trustMs
  }

  /** A task that is held already was lost and has come back: the older run of it is stopped. */
  add(task: HeldTask): void {
    if (this.#tasks.has(task.id)) this.lose(task.id, null, 'lease_lost')
    this.#tasks.set(task.id, task)
  }

  /** Only if it is still this holding: the same task may have been claimed again since. */
  remove(task: HeldTask): void {
    if (this.#tasks.get(task.id) === task) this.#tasks.delete(task.id)
  }

  renewed(claimIds: readonly string[], sentAtMs: number): void {
    const renewed = new Set(claimIds)
    for (const { lease } of this.#tasks.values()) {
      if (renewed.has(lease.claim)) this.#trust(lease, sentAtMs)
    }
  }

  #trust(lease: Lease, sentAtMs: number): void {
    lease.trustedUntilMs = Math.max(lease.trustedUntilMs, this.trustedUntil(sentAtMs))
  }

  /** Notes that a task is said to have been taken away; false when it is not held, or being reported. */
  suspect(id: string, claim: string): boolean {
    const task = this.#tasks.get(id)
    if (task === undefined || task.claim !== claim || task.state === 'reporting') return false
    task.isSuspect = true
    return true
  }

  /** Stops a task that is no longer the worker's. One whose outcome is on its way is left to the answer. */
  lose(id: string, claim: string | null, reason: AbortReason): HeldTask | undefined {
    const task = this.#tasks.get(id)
    if (task === undefined || task.state === 'reporting') return undefined
    if (claim !== null && task.claim !== claim) return undefined
    task.isLost = true
    task.abort(reason)
    return task
  }

  /** Stops everything whose lease can no longer be trusted; gives what it stopped. */
  doubt(nowMs: number): HeldTask[] {
    const doubtful = this.all().filter(
      ({ lease, state, aborted }) =>
        lease.trustedUntilMs <= nowMs && state !== 'reporting' && aborted === undefined,
    )
    for (const task of doubtful) task.abort('lease_lost')
    return doubtful
  }

  get load(): { readonly running: number; readonly buffered: number } {
    const counts = { running: 0, buffered: 0, reporting: 0 }
    for (const { state } of this.#tasks.values()) counts[state] += 1
    return { running: counts.running, buffered: counts.buffered }
  }

  snapshot(): HeldTasksSnapshot {
    const tasks = this.all()
    const running = tasks.filter(({ state }) => state === 'running')
    for (const task of running) task.wasMarked = true
    return {
      ids: tasks.map(({ id }) => id).join(','),
      claims: tasks.map(({ claim }) => claim).join(','),
      started: running.map(({ id }) => id).join(','),
      claimIds: [...new Set(tasks.map(({ claim }) => claim))],
      ...this.load,
    }
  }
}
