import type { Queryable } from '../db/queryable.ts'
import type { Enqueued } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import type { Ledger, Origin } from './ledger.ts'
import type { Source, SourceJob, SourceSchedule } from './source.ts'

/** One transaction, in the name of the person who imports. */
export type Transaction = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>

export interface Import {
  readonly source: Source
  readonly origin: Origin
  /** The schema of the source, quoted. */
  readonly quoted: string
  readonly ledger: Ledger
  readonly verbs: Verbs
  readonly transaction: Transaction
}

/** A job or schedule that stays where it is, and why. */
export interface Kept {
  readonly name: string
  readonly reason: string
}

export interface Outcome {
  readonly moved: number
  readonly kept: readonly Kept[]
}

const batch = 500

/**
 * Moves all waiting jobs: each batch is one transaction that stores tasks, takes the rows out and writes the ledger.
 * So a job is in one system or the other at every moment, and an import that was cut off goes on when it is run again.
 */
export async function moveJobs(given: Import): Promise<Outcome> {
  let moved = 0
  const kept: Kept[] = []
  let place: string | null = null
  do {
    const next: BatchOutcome = await given.transaction((db) => moveBatch(db, given, place))
    moved += next.moved
    kept.push(...next.kept)
    place = next.place
  } while (place !== null)
  return { moved, kept }
}

interface BatchOutcome extends Outcome {
  /** Where the next batch begins; null after the last. */
  readonly place: string | null
}

async function moveBatch(
  db: Queryable,
  given: Import,
  place: string | null,
): Promise<BatchOutcome> {
  const { source, quoted, ledger, origin } = given
  const { rows } = await db.query<SourceJob>(source.selectJobs(quoted), [place, batch])
  const results = await storeJobs(db, given, rows)
  const stored = results.flatMap(({ row, id }) => (id === undefined ? [] : [{ row, id }]))
  if (stored.length > 0) {
    const ids = stored.map(({ row }) => row.row_id)
    await db.query(
      `delete from ${quoted}.${source.jobTable} where ${source.jobId} = any ($1::text[])`,
      [ids],
    )
    const moved = stored.map(({ row, id }) => {
      return { kind: 'job' as const, row_id: row.row_id, task: id, job: row.job }
    })
    await ledger.add(db, origin, moved)
  }
  const kept = results.flatMap(({ row, reason }) =>
    reason === undefined ? [] : [{ name: row.row_id, reason }],
  )
  const last = rows.length < batch ? null : (rows.at(-1)?.place ?? null)
  return { moved: stored.length, kept, place: last }
}

interface Result {
  readonly row: SourceJob
  readonly id?: string | undefined
  readonly reason?: string | undefined
}

/** Stores a batch in one call; if one of them is rejected, each by itself, to find out which. */
async function storeJobs(
  db: Queryable,
  { source, verbs }: Import,
  rows: readonly SourceJob[],
): Promise<Result[]> {
  if (rows.length === 0) return []
  const tasks = rows.map(source.toTask)
  const all = await attempt(db, () => verbs.enqueueMany(db, tasks))
  if (all.answer !== undefined) return all.answer.map((each, at) => result(rows[at], each))
  const results: Result[] = []
  for (const [at, task] of tasks.entries()) {
    const one = await attempt(db, () => verbs.enqueueMany(db, [task]))
    const row = rows[at] as SourceJob
    const [answer] = one.answer ?? []
    results.push(answer === undefined ? { row, reason: one.reason } : result(row, answer))
  }
  return results
}

function result(row: SourceJob | undefined, { id, outcome }: Enqueued): Result {
  if (row === undefined) throw new Error('the engine answered for more tasks than were given')
  return outcome === 'created' ? { row, id } : { row, reason: `its key is taken by task ${id}` }
}

interface Attempt<T> {
  readonly answer?: T | undefined
  readonly reason?: string | undefined
}

/** Runs `work` in a savepoint: what Postgres or the engine rejects leaves the transaction usable. */
async function attempt<T>(db: Queryable, work: () => Promise<T>): Promise<Attempt<T>> {
  await db.query('savepoint import')
  try {
    const answer = await work()
    await db.query('release savepoint import')
    return { answer }
  } catch (error) {
    await db.query('rollback to savepoint import')
    return { reason: (error as Error).message }
  }
}

/** Moves schedules in one transaction. One whose name is taken in Tusk stays. */
export function moveSchedules(
  given: Import,
  fromFile: readonly SourceSchedule[],
): Promise<Outcome> {
  const { source, quoted, transaction } = given
  return transaction(async (db) => {
    const found = [...(await source.readSchedules(db, quoted)), ...fromFile]
    const kept: Kept[] = []
    for (const schedule of found) {
      const reason = await moveSchedule(db, given, schedule)
      if (reason !== undefined) kept.push({ name: schedule.name, reason })
    }
    return { moved: found.length - kept.length, kept }
  })
}

/** Gives why it stays, or nothing if it was moved. */
async function moveSchedule(
  db: Queryable,
  { source, quoted, origin, ledger, verbs }: Import,
  schedule: SourceSchedule,
): Promise<string | undefined> {
  const { name, settings, row } = schedule
  if (typeof settings === 'string') return settings
  const { reason } = await attempt(db, () => create(db, verbs, schedule))
  if (reason !== undefined) return reason
  if (row !== null) {
    const text = `delete from ${quoted}.${source.scheduleTable} where ${source.scheduleId} = $1`
    await db.query(text, [row.id])
  }
  const entry = { kind: 'schedule' as const, task: null, job: row?.job ?? null }
  await ledger.add(db, origin, [{ ...entry, row_id: name }])
  return undefined
}

async function create(
  db: Queryable,
  verbs: Verbs,
  { name, settings }: SourceSchedule,
): Promise<void> {
  await verbs.lockForEdit(db, 'schedule', name)
  if (await hasSchedule(db, verbs, name)) throw new Error('Tusk has a schedule of this name')
  if (typeof settings !== 'string') await verbs.setSchedule(db, name, settings)
}

async function hasSchedule(db: Queryable, verbs: Verbs, name: string): Promise<boolean> {
  return (await verbs.schedule(db, name)) !== null
}
