import type { Check } from '../check.ts'
import { ask, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'
import { type WrittenRoutine, writtenRoutines } from '../installed-routines.ts'

interface Routine {
  readonly name: string
  readonly body: string
  readonly is_definer: boolean
}

/**
 * Functions that were changed by hand: what the catalog holds against what the files of this
 * version say. Files that this version has another text of are left to the check of its version.
 */
export const drift: Check = {
  name: 'drift',
  fine: 'The functions are as they were installed.',
  needsEngine: true,
  look: async (at) => {
    const written = await installedAsWritten(at)
    const found = await routinesOf(at)
    const missing = written.filter(({ name }) => !found.some((one) => one.name === name))
    const changed = written.filter(
      (one) => !missing.includes(one) && !found.some((other) => isSame(one, other)),
    )
    return [
      ...symptomsOf(at, 'are gone', missing),
      ...symptomsOf(at, 'were changed by hand', changed),
    ]
  },
}

function isSame(one: WrittenRoutine, other: Routine): boolean {
  return one.name === other.name && one.body === other.body && one.isDefiner === other.is_definer
}

async function installedAsWritten(at: Examination): Promise<WrittenRoutine[]> {
  const files = await at.files()
  const rows = await ask<{ path: string; hash: string }>(
    at,
    `select path, hash from ${at.quotedSchema}.installed`,
  )
  const hashes = new Map(rows.map(({ path, hash }) => [path, hash]))
  return writtenRoutines(files.filter(({ path, hash }) => hashes.get(path) === hash))
}

function routinesOf(at: Examination): Promise<Routine[]> {
  return ask<Routine>(
    at,
    `select proname as name, prosrc as body, prosecdef as is_definer
     from pg_proc
     where pronamespace = to_regnamespace($1)`,
    [at.quotedSchema],
  )
}

function symptomsOf(
  { quotedSchema }: Examination,
  what: string,
  routines: readonly WrittenRoutine[],
): Symptom[] {
  if (routines.length === 0) return []
  const names = [...new Set(routines.map(({ name }) => `${name}()`))].sort()
  const paths = [...new Set(routines.map(({ path }) => `'${path}'`))].join(', ')
  return [
    {
      level: 'problem',
      message: `Functions of the engine ${what}: ${formatList(names)}.`,
      hint: `Apply them again: delete from ${quotedSchema}.installed where path in (${paths}); then: tusk migrate up`,
      details: { functions: names },
    },
  ]
}
