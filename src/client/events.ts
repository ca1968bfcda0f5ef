import type { Queryable } from '../db/queryable.ts'
import type { EventPage, Following, TaskEvent } from '../engine/following.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import type { On } from './on.ts'

/** What happens to tasks, as it happens. Available as `tusk.events`. */
export class TuskEvents {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Records the events of all queues for a while, one minute by default. To go on, call it again before `until`. Start
   * list() at `after`. If the last event you saw is older than `since`, you have missed some.
   */
  follow(time: Duration = '1 minute', { on = this.#db }: On = {}): Promise<Following> {
    return this.#verbs.follow(on, toInterval('the time', time))
  }

  /**
   * Lists events after a given one, in order and without gaps.
   *
   * @example
   * ```ts
   * let { after } = await tusk.events.follow('1 minute')
   * for (const event of await tusk.events.list({ after })) {
   *   after = event.id
   *   console.log(event.event, event.task)
   * }
   * ```
   */
  list({ on = this.#db, ...page }: EventPage & On = {}): Promise<TaskEvent[]> {
    return this.#verbs.events(on, page)
  }
}
