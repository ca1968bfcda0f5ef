import type { Verbs } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'
import { graphileWorker } from './graphile-worker.ts'
import { Ledger } from './ledger.ts'
import { type Import, moveJobs, moveSchedules, type Outcome, type Transaction } from './move.ts'
import { pgBoss } from './pg-boss.ts'
import { requireSource } from './require-source.ts'
import type { Left, Source, SourceSchedule } from './source.ts'
import { undoJobs, undoSchedules } from './undo.ts'

/** The systems that can be imported from. A row that selectJobs() read is what its toTask() takes. */
export const sources: readonly Source[] = [graphileWorker as Source, pgBoss as Source]

export interface ImportOptions {
  readonly from: string
  readonly fromSchema?: string | undefined
  readonly engineSchema: string
  readonly verbs: Verbs
  readonly transaction: Transaction
}

/** What an import would move, and what stays. */
export interface Plan {
  readonly queues: readonly { readonly queue: string; readonly count: number }[]
  readonly left: readonly Left[]
  readonly schedules: readonly SourceSchedule[]
}

export interface Imported {
  readonly jobs: Outcome
  readonly schedules: Outcome
}

/** Checks the source, and gives what is needed to move its jobs. */
export async function openImport(options: ImportOptions): Promise<Import> {
  const source = sources.find(({ name }) => name === options.from)
  if (source === undefined) {
    throw new TuskError('invalid_argument', `Tusk cannot import from "${options.from}"`, {
      hint: `It imports from ${sources.map(({ name }) => name).join(' and ')}.`,
    })
  }
  const schema = options.fromSchema ?? source.usualSchema
  const { verbs, transaction } = options
  const quoted = await transaction((db) => requireSource(db, source, schema))
  const ledger = new Ledger(options.engineSchema)
  return { source, origin: { source: source.name, schema }, quoted, ledger, verbs, transaction }
}

/** Reads only. */
export function planImport(given: Import, fromFile: readonly SourceSchedule[]): Promise<Plan> {
  const { source, quoted, transaction } = given
  return transaction(async (db) => ({
    queues: (await db.query<Plan['queues'][number]>(source.countJobs(quoted))).rows,
    left: (await db.query<Left>(source.countLeft(quoted))).rows,
    schedules: [...(await source.readSchedules(db, quoted)), ...fromFile],
  }))
}

/** Moves schedules first: a job that one of them makes in between is moved with the others. */
export async function runImport(
  given: Import,
  fromFile: readonly SourceSchedule[],
): Promise<Imported> {
  await given.transaction((db) => given.ledger.create(db))
  const schedules = await moveSchedules(given, fromFile)
  return { schedules, jobs: await moveJobs(given) }
}

/** Puts everything back that has not started. */
export async function undoImport(given: Import): Promise<Imported> {
  await requireLedger(given)
  return { schedules: await undoSchedules(given), jobs: await undoJobs(given) }
}

/** Makes an import final: the rows that an undo would need are deleted. Gives how many there were. */
export async function confirmImport(given: Import): Promise<number> {
  await requireLedger(given)
  return given.transaction((db) => given.ledger.forget(db, given.origin))
}

async function requireLedger({ transaction, ledger, origin }: Import): Promise<void> {
  if (await transaction((db) => ledger.exists(db))) return
  throw new TuskError(
    'wrong_state',
    `there is no import from ${origin.source} to undo or confirm`,
    {
      hint: `Nothing was imported, or it was confirmed. Import with: tusk import ${origin.source}`,
    },
  )
}
