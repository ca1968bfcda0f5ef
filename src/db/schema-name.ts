import { TuskError } from '../lib/errors.ts'

/** Postgres silently truncates longer names, and two names would become one. */
const longestName = 63
/** The longest suffix of a NOTIFY channel, whose name begins with the schema's. */
const longestChannelSuffix = ':schedules'
const longestRoleSuffix = '_producer'

/** Rejects names that cannot be a schema of Tusk's own. Any other name is valid, including quotes and spaces. */
export function requireSchemaName(schema: string): string {
  if (schema === 'public') {
    throw new TuskError('invalid_argument', 'Tusk cannot be installed in the schema public', {
      hint: 'Name a schema of its own: Tusk revokes the rights of all other roles in its schema.',
    })
  }
  if (schema === 'information_schema' || schema.startsWith('pg_')) {
    throw new TuskError('invalid_argument', `the schema ${schema} belongs to Postgres`, {
      hint: 'Name a schema that does not start with pg_.',
    })
  }
  return requireName('schema', schema, longestChannelSuffix)
}

/** The prefix of the four role names. Default: the schema's name. Empty if roles are not wanted. */
export function rolePrefix(schema: string, roles: string | false | undefined): string {
  if (roles === false) return ''
  return requireName('role prefix', roles ?? schema, longestRoleSuffix)
}

function requireName(what: string, name: string, suffix: string): string {
  const bytes = Buffer.byteLength(name + suffix)
  if (name === '' || name.includes('\0') || bytes > longestName) {
    throw new TuskError('invalid_argument', `${JSON.stringify(name)} cannot be a ${what}`, {
      hint: `A ${what} has 1 to ${longestName - suffix.length} bytes.`,
    })
  }
  return name
}
