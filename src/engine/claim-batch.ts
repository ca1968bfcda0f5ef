import type { Queryable } from '../db/queryable.ts'
import { parseTime } from '../db/row-types.ts'
import { call } from './call.ts'
import type { ClaimedTask, Json } from './task.ts'
import { timeLiteral } from './time-literal.ts'

/** The claim of a worker: from all its queues, only tasks it can run, starting where it last stopped. */
export interface BatchClaim {
  /** In order of preference: tasks of the first queue come before those of the next. */
  readonly queues: readonly AskedQueue[]
  readonly limit: number
  readonly worker: string
  readonly leaseMs: number
  readonly kinds: readonly string[]
  /** Null for any. */
  readonly handlers: readonly string[] | null
  readonly versionsFrom: readonly number[] | null
  readonly versionsTo: readonly number[] | null
  /** How many tasks beyond the limit may be claimed so that the last pack is not split. Default: none. */
  readonly spare?: number
  /**
   * How many tasks beyond the limit may be claimed that have to wait for others of their group; see ClaimedRow.follows.
   */
  readonly line?: number
  /**
   * Called with the milliseconds until the next task of these queues becomes due, as it is after the claim: the same
   * statement asks. Null: nothing is ahead.
   */
  readonly onDue?: ((dueInMs: number | null) => void) | undefined
}

/** A queue to claim from. */
export interface AskedQueue {
  readonly queue: string
  /** Where to begin in its lanes; see sql/core/pick.sql. */
  readonly hints: readonly Hint[]
}

export interface Hint {
  readonly priority: number
  readonly from: Date
}

/**
 * A row of claim_queues() whose times and iteration are still text, because a worker looks at few of the hundreds in a
 * batch. toClaimedTask() converts the rest when it is needed.
 */
export interface ClaimedRow
  extends Omit<
    ClaimedTask,
    'iteration' | 'created_at' | 'run_at' | 'deadline' | 'lease_expires_at'
  > {
  readonly iteration: string
  readonly created_at: string
  readonly run_at: string
  readonly deadline: string | null
  readonly timeout_ms: number | null
  readonly lease_expires_at: string
  /** Its group is at its limit: the task starts when another of the same claim and group has ended. */
  readonly follows: boolean
  /** The pack it was claimed in, if that has other tasks, and its place there, from 0. */
  readonly pack?: Pack
  readonly place?: number
}

/** Tasks that were claimed as one row: their ids follow one another from `id`. Their results can be reported as one. */
export interface Pack {
  readonly id: string
  readonly size: number
}

/** A row as the database returns it: for a pack, `payload` is a list with the payload of each task. */
type PackedRow = Omit<ClaimedRow, 'pack' | 'place'> & { readonly size: number }

const columns = `id, claim, attempt, max_attempts, iteration, priority, version, kind, queue, handler, key, groups, tags,
  parent, created_at::text, run_at::text, deadline::text, timeout::text,
  (extract(epoch from timeout) * 1000)::float8 as timeout_ms, lease_expires_at::text, meta, payload, size, follows`

/** Claiming for a worker: for each kind, only what it can run. */
export function claimingBatches(schema: string) {
  const claimed = `${schema}.claim_queues(
    $1::text[], $2, $3, $4::float8 * interval '1 millisecond', $5::text[], $6::text[], $7::integer[], $8::integer[],
    $9::integer[], $10::integer[], $11::timestamptz[], $12, $13)`
  const text = `select ${columns} from ${claimed}`
  // One row at least. Postgres runs the subquery when it needs the first row, and so after the claim.
  const textWithDue = `
    select ${columns},
      (select (extract(epoch from ${schema}.next_due($1::text[]) - clock_timestamp()) * 1000)::float8) as due_in_ms
    from (select) as once
    left join ${claimed} as claimed on true`
  return {
    /** Each queue that has tasks gets a claim of its own. Rows of one claim are adjacent. */
    claimBatch: async (db: Queryable, claim: BatchClaim): Promise<ClaimedRow[]> => {
      const hints = claim.queues.flatMap((asked) => asked.hints)
      const { onDue } = claim
      const answer = await call<PackedRow & { readonly due_in_ms?: number | null }>(
        db,
        onDue ? textWithDue : text,
        [
          claim.queues.map(({ queue }) => queue),
          claim.limit,
          claim.worker,
          claim.leaseMs,
          claim.kinds,
          claim.handlers,
          claim.versionsFrom,
          claim.versionsTo,
          claim.queues.map((asked) => asked.hints.length),
          hints.map(({ priority }) => priority),
          hints.map(({ from }) => timeLiteral(from)),
          claim.spare ?? 0,
          claim.line ?? 0,
        ],
      )
      onDue?.(answer[0]?.due_in_ms ?? null)
      const rows = (answer[0]?.id ?? null) === null ? [] : answer
      return rows.every(({ size }) => size === 1) ? rows : rows.flatMap(unpacked)
    },
  }
}

/** The tasks of a row, each as if it had been claimed alone. */
function unpacked(row: PackedRow): ClaimedRow[] {
  if (row.size === 1) return [row]
  const first = Number(row.id)
  const idOf = Number.isSafeInteger(first + row.size)
    ? (place: number) => String(first + place)
    : (place: number) => String(BigInt(row.id) + BigInt(place))
  return (row.payload as Json[]).map(
    (payload, place) => new PackMember(row, idOf(place), payload, place),
  )
}

/**
 * A task of a pack. Everything except these four properties is read from the row: copying 20 properties took 1 µs per
 * task.
 */
class PackMember implements ClaimedRow {
  readonly pack: PackedRow
  readonly id: string
  readonly payload: Json
  readonly place: number

  constructor(pack: PackedRow, id: string, payload: Json, place: number) {
    this.pack = pack
    this.id = id
    this.payload = payload
    this.place = place
  }

  get claim() {
    return this.pack.claim
  }

  get attempt() {
    return this.pack.attempt
  }

  get max_attempts() {
    return this.pack.max_attempts
  }

  get iteration() {
    return this.pack.iteration
  }

  get priority() {
    return this.pack.priority
  }

  get version() {
    return this.pack.version
  }

  get kind() {
    return this.pack.kind
  }

  get queue() {
    return this.pack.queue
  }

  get handler() {
    return this.pack.handler
  }

  get key() {
    return this.pack.key
  }

  get groups() {
    return this.pack.groups
  }

  get tags() {
    return this.pack.tags
  }

  get parent() {
    return this.pack.parent
  }

  get created_at() {
    return this.pack.created_at
  }

  get run_at() {
    return this.pack.run_at
  }

  get deadline() {
    return this.pack.deadline
  }

  get timeout() {
    return this.pack.timeout
  }

  get timeout_ms() {
    return this.pack.timeout_ms
  }

  get lease_expires_at() {
    return this.pack.lease_expires_at
  }

  get follows() {
    return this.pack.follows
  }

  get meta() {
    return this.pack.meta
  }
}

/** The whole task, with its times as Dates. Copies each property by name, because those of a PackMember are getters. */
export function toClaimedTask(row: ClaimedRow): ClaimedTask {
  return {
    id: row.id,
    claim: row.claim,
    attempt: row.attempt,
    max_attempts: row.max_attempts,
    iteration: Number(row.iteration),
    priority: row.priority,
    version: row.version,
    kind: row.kind,
    queue: row.queue,
    handler: row.handler,
    key: row.key,
    groups: row.groups,
    tags: row.tags,
    parent: row.parent,
    created_at: toDate(row.created_at),
    run_at: toDate(row.run_at),
    deadline: row.deadline === null ? null : toDate(row.deadline),
    timeout: row.timeout,
    lease_expires_at: toDate(row.lease_expires_at),
    meta: row.meta,
    payload: row.payload,
  }
}

/** Parses a timestamptz as Postgres writes it. */
export function toDate(text: string): Date {
  return parseTime(text)
}
