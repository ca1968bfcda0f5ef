import type pg from 'pg'
import { readInstalled } from '../db/installed.ts'
import type { Queryable } from '../db/queryable.ts'
import { readSqlFiles, type SqlFile } from '../db/sql-files.ts'
import { packagedSql } from '../db/sql-source.ts'
import type { Check } from './check.ts'
import { allChecks } from './checks/all.ts'
import { faultsOf, owner } from './checks/owner.ts'
import { schemaVersion } from './checks/schema-version.ts'
import { type Examination, type Limits, quoted, usualLimits } from './examination.ts'
import type { Finding } from './finding.ts'

export interface ExamineOptions {
  readonly schema: string
  /** Only these checks. */
  readonly only?: readonly string[] | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Opens another connection in the same way, for what takes two to see. */
  readonly connect?: (() => Promise<pg.Client>) | undefined
}

/** Looks at a live database and says what is wrong with it; changes nothing. */
export async function examine(db: Queryable, options: ExamineOptions): Promise<Finding[]> {
  return findAll(examinationOf(db, options), options.only)
}

export async function findAll(
  at: Examination,
  only: readonly string[] | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of await checksToRun(at, only)) findings.push(...(await findingsOf(check, at)))
  return findings
}

async function checksToRun(
  at: Examination,
  only: readonly string[] | undefined,
): Promise<readonly Check[]> {
  const hasEngine = (await readInstalled(at.db, at.schema).catch(() => null)) !== null
  // A view that another role has put there would run that role's code with the rights of the reader.
  const isForeign = hasEngine && (await faultsOf(at, at.schema).catch(() => [])).length > 0
  const isWanted = ({ name }: Check) => only === undefined || only.includes(name)
  const isPossible = (check: Check) =>
    (check.needsEngine === undefined || (hasEngine && (!isForeign || check === owner))) &&
    (check.needsConnections === undefined || at.connect !== undefined)
  // Silence of a check that cannot look would be taken for health: this one says why it cannot.
  const reason = isForeign ? owner : schemaVersion
  const isBlind =
    (isForeign || !hasEngine) && allChecks.some((check) => check.needsEngine && isWanted(check))
  return allChecks.filter(
    (check) => isPossible(check) && (isWanted(check) || (isBlind && check === reason)),
  )
}

/** Hundreds of files, read once: those of the version that runs. */
let packaged: Promise<readonly SqlFile[]> | undefined

export function examinationOf(db: Queryable, options: ExamineOptions): Examination {
  return {
    db,
    schema: options.schema,
    quotedSchema: quoted(options.schema),
    limits: { ...usualLimits, ...options.limits },
    files: () => (packaged ??= readSqlFiles(packagedSql)),
    connect: options.connect,
  }
}

async function findingsOf(check: Check, at: Examination): Promise<Finding[]> {
  const { name, fine } = check
  try {
    const symptoms = await check.look(at)
    if (symptoms.length === 0) {
      return [{ check: name, level: 'ok', message: fine, hint: null, details: {} }]
    }
    return symptoms.map((symptom) => ({ check: name, details: {}, ...symptom }))
  } catch (error) {
    return [unseen(name, error)]
  }
}

/** One thing that cannot be looked at must not hide the others. */
function unseen(check: string, error: unknown): Finding {
  const why = error instanceof Error ? error.message : String(error)
  const isForbidden = error instanceof Error && (error as { code?: unknown }).code === '42501'
  return {
    check,
    level: isForbidden ? 'notice' : 'warning',
    message: `This could not be looked at: ${why}.`,
    hint: isForbidden
      ? 'Look again with a login that is a member of the operator role (tusk_operator) and of pg_monitor.'
      : 'Look again; if it stays, look at the log of Postgres.',
    details: {},
  }
}
