import type { Queryable } from '../db/queryable.ts'
import type { QueueGrant as GrantRow, QueueRight } from '../engine/granting.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'

/** The rights of one role on a queue, or on all queues with a name prefix. */
export interface QueueGrant extends CamelCase<GrantRow> {}

/** Which database roles may enqueue, consume and operate which queues. Available as `tusk.grants`. */
export class TuskGrants {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Grants a role rights on a queue, or on all queues with a prefix. The first grant closes the queue to all roles
   * without a grant, except admins.
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

  /** Revokes rights from a role: all of them, or those you name. Returns whether it had any. The queue stays closed. */
  revoke(
    queue: string,
    role: string,
    rights: readonly QueueRight[] | null = null,
    { on = this.#db }: On = {},
  ): Promise<boolean> {
    return this.#verbs.revokeQueue(on, queue, role, rights)
  }

  /** Removes all grants on a queue, which opens it to all roles again. Returns how many roles had one. */
  open(queue: string, { on = this.#db }: On = {}): Promise<number> {
    return this.#verbs.openQueue(on, queue)
  }

  /** Lists all grants, by queue and role. */
  async list({ on = this.#db }: On = {}): Promise<QueueGrant[]> {
    return (await this.#verbs.queueGrants(on)).map(camelCase)
  }
}
