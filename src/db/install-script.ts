import { createHash } from 'node:crypto'
import { escapeIdentifier, escapeLiteral } from 'pg'
import { readInstaller, readLedger, readSqlFiles, type SqlFile } from './sql-files.ts'

export interface InstallTarget {
  readonly schema: string
  /** What the names of the four roles start with; empty for no roles. */
  readonly rolePrefix: string
  readonly directory: string
  readonly lockTimeoutMs: number
}

/** Everything one version installs: the same statements for a new schema, an old one, or a finished one. */
export interface InstallScript {
  readonly files: readonly SqlFile[]
  /** To be run inside a transaction. */
  readonly text: string
}

/** Reads sql/ and writes the script; what of it takes effect is decided in Postgres, file by file. */
export async function readInstallScript(target: InstallTarget): Promise<InstallScript> {
  const [ledger, installer, read] = await Promise.all([
    readLedger(),
    readInstaller(),
    readSqlFiles(target.directory),
  ])
  const files = read.map((file) => (file.path === 'grants.sql' ? grantsFor(file, target) : file))
  const grants = files.find((file) => file.path === 'grants.sql')?.text ?? ''
  const manifest = `${quote(JSON.stringify(hashes(files), null, 1))}::jsonb`
  const routines = installer.map((file) => file.path.replace(/^install\/(.*)\.sql$/, '$1'))

  const text = [
    preamble(target),
    ledger.text,
    ...installer.map((file) => file.text),
    `call install_begin(${manifest});`,
    ...files.filter((file) => file.path !== 'grants.sql').map(callInstallFile),
    `call install_finish(${manifest}, ${quote(grants)});`,
    `drop routine ${routines.join(', ')};`,
  ].join('\n')
  return { files, text }
}

/** Two migrators of one schema take turns. */
export function takeTurns(schema: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${escapeLiteral(`tusk migrate ${schema}`)}, 0))`
}

function preamble({ schema, rolePrefix, lockTimeoutMs }: InstallTarget): string {
  const name = escapeIdentifier(schema)
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
set local search_path = ${name}, pg_temp;
set local tusk.role_prefix = ${escapeLiteral(rolePrefix)};
do ${begin};
set local lock_timeout = ${lockTimeoutMs};
`
}

/** Other roles need the same grants again. */
function grantsFor(file: SqlFile, { rolePrefix }: InstallTarget): SqlFile {
  const hash = createHash('sha256').update(`${rolePrefix}\n${file.text}`).digest('hex')
  return { ...file, hash }
}

function hashes(files: readonly SqlFile[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file.path, file.hash]))
}

function callInstallFile({ path, hash, isBreaking, text }: SqlFile): string {
  return `call install_file(${escapeLiteral(path)}, '${hash}', ${isBreaking}, ${quote(`\n${text}`)});`
}

/** Dollar quotes, with a tag that the text does not contain: the files stay readable in the script. */
function quote(text: string): string {
  let tag = '$tusk$'
  for (let n = 1; text.includes(tag.slice(0, -1)); n += 1) tag = `$tusk${n}$`
  return tag + text + tag
}
