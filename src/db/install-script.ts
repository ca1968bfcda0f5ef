import { createHash } from 'node:crypto'
import { escapeIdentifier, escapeLiteral } from 'pg'
import { localDdl, requireOwnSchemas, safeSearchPath } from './schema-owner.ts'
import { readInstaller, type SqlFile } from './sql-files.ts'

export interface InstallTarget {
  readonly schema: string
  /** A second schema whose names are found: that of the engine, when a dialect is installed. */
  readonly engineSchema?: string | undefined
  /** The prefix of the four role names. Empty for no roles. */
  readonly rolePrefix: string
  readonly lockTimeoutMs: number
}

/** Everything one version installs: the same statements for a new, an old or an up-to-date schema. */
export interface InstallScript {
  readonly files: readonly SqlFile[]
  /** Run it inside a transaction. */
  readonly text: string
}

/** Writes the script for these files. Postgres decides file by file what has to be applied. */
export async function writeInstallScript(
  target: InstallTarget,
  toInstall: readonly SqlFile[],
): Promise<InstallScript> {
  const { tables, routines } = await readInstaller()
  const files = toInstall.map((file) =>
    file.path === 'grants.sql' ? grantsFor(file, target) : file,
  )
  const names = routines.map((file) => file.path.replace(/^install\/(.*)\.sql$/, '$1'))

  const text = [
    preamble(target),
    tables.text,
    ...files.map(handOver),
    // They come after the tables, because some take a table's row as their argument.
    ...routines.map((file) => file.text),
    'call install_run();',
    `drop routine ${names.join(', ')};`,
    'drop table install_files;',
    // Once more: a role that could create objects at the start may have created some meanwhile.
    `${safeSearchPath};\n${requireOwn(target)};`,
  ].join('\n')
  return { files, text }
}

/** Takes a lock, so that two migrations of one schema run one after the other. */
export function takeTurns(schema: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${escapeLiteral(`tusk migrate ${schema}`)}, 0))`
}

function requireOwn({ schema, engineSchema }: InstallTarget): string {
  return requireOwnSchemas(engineSchema === undefined ? [schema] : [schema, engineSchema])
}

function preamble(target: InstallTarget): string {
  const { schema, engineSchema, rolePrefix, lockTimeoutMs } = target
  const name = escapeIdentifier(schema)
  const path = engineSchema === undefined ? name : `${name}, ${escapeIdentifier(engineSchema)}`
  const begin = quote(`
begin
  perform ${takeTurns(schema)};
  -- Not "if not exists": that asks for the right to create schemas even when this one is there.
  if to_regnamespace(${escapeLiteral(name)}) is null then
    create schema ${name};
  end if;
end;
`)
  return `set local statement_timeout = 0;
set local client_min_messages = warning;
set local check_function_bodies = off;
set local standard_conforming_strings = on;
${localDdl};
${safeSearchPath};
do ${begin};
${requireOwn(target)};
set local search_path = ${path}, pg_temp;
set local tusk.role_prefix = ${escapeLiteral(rolePrefix)};
set local lock_timeout = ${lockTimeoutMs};
`
}

/** Grants are applied again for other roles. */
function grantsFor(file: SqlFile, { rolePrefix }: InstallTarget): SqlFile {
  const hash = createHash('sha256').update(`${rolePrefix}\n${file.text}`).digest('hex')
  return { ...file, hash }
}

function handOver({ path, hash, isBreaking, text }: SqlFile): string {
  const values = [escapeLiteral(path), escapeLiteral(hash), isBreaking, quote(`\n${text}`)]
  return `insert into install_files (path, hash, is_breaking, text) values (${values.join(', ')});`
}

/** Quotes with a dollar tag that the text does not contain, so that the files stay readable in the script. */
function quote(text: string): string {
  let tag = '$tusk$'
  for (let n = 1; text.includes(tag.slice(0, -1)); n += 1) tag = `$tusk${n}$`
  return tag + text + tag
}
