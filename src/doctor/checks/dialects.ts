import { type DialectStatus, readDialects } from '../../dialects/list-dialects.ts'
import type { Check } from '../check.ts'
import type { Symptom } from '../finding.ts'

export const dialects: Check = {
  name: 'dialects',
  fine: 'All installed dialects are of this version.',
  look: async ({ db, schema }) =>
    (await readDialects(db)).filter(({ engine_schema }) => engine_schema === schema).flatMap(find),
}

function find({ name, schema, state }: DialectStatus): Symptom[] {
  if (state === 'current') return []
  const details = { dialect: name, schema, state }
  const what = `Dialect ${name} in schema ${schema}`
  if (state === 'behind') {
    const message = `${what} is behind: its functions are those of an older version of Tusk.`
    return [{ level: 'problem', message, hint: 'Run: tusk migrate up', details }]
  }
  const message = `${what} is of a newer version of Tusk.`
  return [{ level: 'warning', message, hint: 'Upgrade pgtusk here.', details }]
}
