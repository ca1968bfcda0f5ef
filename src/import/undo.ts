import { escapeLiteral } from 'pg'
import type { Queryable } from '../db/queryable.ts'
import type { Moved } from './ledger.ts'
import type { Import, Kept, Outcome } from './move.ts'

const batch = 200

/** Puts back what has not started yet. What has started stays in Tusk: undone, it would run twice. */
export async function undoJobs(given: Import): Promise<Outcome> {
  const { ledger, origin, transaction } = given
  let moved = 0
  const kept: Kept[] = []
  let place: string | null = null
  do {
    const entries: Moved[] = await transaction(async (db) => {
      const next = await ledger.read(db, origin, 'job', place, batch)
      const restored = await undoBatch(db, given, next)
      moved += restored.moved
      kept.push(...restored.kept)
      return next
    })
    place = entries.length < batch ? null : (entries.at(-1)?.row_id ?? null)
  } while (place !== null)
  return { moved, kept }
}

async function undoBatch(
  db: Queryable,
  given: Import,
  entries: readonly Moved[],
): Promise<Outcome> {
  const { source, verbs, ledger, origin } = given
  const waiting = entries.length === 0 ? [] : await lockWaiting(db, given, entries)
  const restored = new Set(
    await restore(
      db,
      given,
      source.jobTable,
      source.jobId,
      waiting.map(({ job }) => job),
    ),
  )
  const back = waiting.filter(({ row_id }) => restored.has(row_id))
  if (back.length > 0) {
    await verbs.deleteMany(
      db,
      back.map(({ task }) => task as string),
    )
    await ledger.remove(
      db,
      origin,
      'job',
      back.map(({ row_id }) => row_id),
    )
  }
  const kept = entries
    .filter((entry) => !back.includes(entry))
    .map((entry) => ({
      name: entry.row_id,
      reason: waiting.includes(entry)
        ? `${source.name} has another job with its key`
        : `task ${entry.task} has started, or has ended`,
    }))
  return { moved: back.length, kept }
}

/** Those that no worker has had, held until the end of the transaction so that none takes them. */
async function lockWaiting(
  db: Queryable,
  { verbs }: Import,
  entries: readonly Moved[],
): Promise<Moved[]> {
  const waiting: Moved[] = []
  for (const entry of entries) {
    await verbs.lockForEdit(db, 'task', entry.task as string)
    const task = await verbs.task(db, entry.task as string)
    const isQueued = ['waiting', 'scheduled', 'blocked', 'ready'].includes(task?.state ?? '')
    if (isQueued && task?.started_at === null && task.attempt === 0) waiting.push(entry)
  }
  return waiting
}

/** Inserts rows as they were; gives the ids of those whose place was free. */
async function restore(
  db: Queryable,
  { quoted }: Import,
  table: string,
  id: string,
  rows: readonly (string | null)[],
): Promise<string[]> {
  const name = `${quoted}.${table}`
  const { rows: columns } = await db.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = ${escapeLiteral(name)}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const list = columns.map((column) => column.name).join(', ')
  const text = `
    insert into ${name} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${name}, $1)
    on conflict do nothing returning ${id} as id`
  const { rows: back } = await db.query<{ id: string }>(text, [`[${rows.join(',')}]`])
  return back.map((row) => row.id)
}

/** Deletes the schedules from Tusk, and puts the rows back that they came from. */
export function undoSchedules(given: Import): Promise<Outcome> {
  const { source, ledger, origin, transaction } = given
  return transaction(async (db) => {
    const entries = await ledger.read(db, origin, 'schedule', null, 100_000)
    const kept: Kept[] = []
    for (const entry of entries) {
      if (await undoSchedule(db, given, entry)) continue
      kept.push({ name: entry.row_id, reason: `${source.name} has another schedule of this name` })
    }
    return { moved: entries.length - kept.length, kept }
  })
}

/** False if its place in the other system is taken. */
async function undoSchedule(db: Queryable, given: Import, entry: Moved): Promise<boolean> {
  const { source, verbs, ledger, origin } = given
  const { row_id: name, job } = entry
  if (source.scheduleTable !== null && job !== null) {
    const back = await restore(db, given, source.scheduleTable, source.scheduleId, [job])
    if (back.length === 0) return false
  }
  if ((await verbs.schedule(db, name)) !== null) await verbs.deleteSchedule(db, name)
  await ledger.remove(db, origin, 'schedule', [name])
  return true
}
