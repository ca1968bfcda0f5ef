import { compare, type FileState, readInstalled } from '../../db/installed.ts'
import type { Check } from '../check.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

const migrateUp = 'Run: tusk migrate up'

export const schemaVersion: Check = {
  name: 'schema-version',
  fine: 'The schema is that of this version.',
  look: async ({ db, schema, files: written }) => {
    const installed = await readInstalled(db, schema)
    if (installed === null) {
      const message = `Tusk is not installed in schema ${schema}.`
      return [{ level: 'problem', message, hint: `${migrateUp}, or name another --schema.` }]
    }
    // Grants depend on the names of the roles; they have a check of their own.
    const files = compare(await written(), installed).filter(({ path }) => path !== 'grants.sql')
    const paths = (state: FileState) =>
      files.filter((file) => file.state === state).map(({ path }) => path)
    const breaking = new Set(installed.filter((row) => row.is_breaking).map(({ path }) => path))
    return [
      ...newer(paths('newer'), (path) => breaking.has(path)),
      ...edited(paths('edited')),
      ...behind(paths('pending')),
      ...different(paths('changed')),
      ...different(paths('removed')),
    ]
  },
}

/** With one that breaks, nothing of this version starts. */
function newer(files: string[], isBreaking: (path: string) => boolean): Symptom[] {
  if (files.length === 0) return []
  const level = files.some(isBreaking) ? 'problem' : 'warning'
  const message = `The schema is newer than this version of Tusk: it has ${formatList(files)}.`
  return [{ level, message, hint: 'Upgrade pgtusk here.', details: { files } }]
}

function edited(files: string[]): Symptom[] {
  if (files.length === 0) return []
  const message = `Migrations were applied with another text: ${formatList(files)}.`
  const hint = 'Use the version of pgtusk that migrated this schema.'
  return [{ level: 'problem', message, hint, details: { files } }]
}

function behind(files: string[]): Symptom[] {
  if (files.length === 0) return []
  const message = `The schema needs a migration: ${formatList(files)} to come.`
  return [
    {
      level: 'problem',
      message,
      hint: `${migrateUp} (it locks tables only for moments)`,
      details: { files },
    },
  ]
}

function different(files: string[]): Symptom[] {
  if (files.length === 0) return []
  const message = `The schema was installed from other files than this version has: ${formatList(files)}.`
  return [
    {
      level: 'warning',
      message,
      hint: `${migrateUp}, with the newest version in use.`,
      details: { files },
    },
  ]
}
