import type { Queryable } from '../db/queryable.ts'
import type { QueueGrant, QueueRight } from '../engine/granting.ts'
import type { Verbs } from '../engine/verbs.ts'
import type { On } from './operations.ts'

/** Which roles of the database may enqueue, consume and operate which queues. */
export class Grants {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Gives a role rights on a queue, or on all that begin alike. The first grant closes the queue to
   * all roles that have none, but for admins.
   *
   * @example
   * ```ts
   * await tusk.grants.give('acme:*', 'acme', ['operate'])
   * ```
   */
  give(
    queue: string,
    role: string,
    rights: readonly QueueRight[],
    { on = this.#db }: On = {},
  ): Promise<void> {
    return this.#verbs.grantQueue(on, queue, role, rights)
  }

  /** Takes rights from a role, all of them unless you name some; answers whether it had any. The queue stays closed. */
  revoke(
    queue: string,
    role: string,
    rights: readonly QueueRight[] | null = null,
    { on = this.#db }: On = {},
  ): Promise<boolean> {
    return this.#verbs.revokeQueue(on, queue, role, rights)
  }

  /** Removes all grants on a queue; answers how many roles had some. */
  open(queue: string, { on = this.#db }: On = {}): Promise<number> {
    return this.#verbs.openQueue(on, queue)
  }

  /** All grants, by queue and role. */
  list({ on = this.#db }: On = {}): Promise<QueueGrant[]> {
    return this.#verbs.queueGrants(on)
  }
}
