import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tusk } from '../../client/tusk.ts'
import { asPerson } from '../database/as-person.ts'
import type { Database } from '../database/database.ts'
import { stateDirectoryFor } from '../database/state-directory.ts'
import type { Io } from '../process/io.ts'

/** The token that `tusk start` hands to the person who started it. */
export interface StartToken {
  readonly token: string
  /** What becomes of it, for people. */
  readonly fate: string
  /** Ends it, if it should not outlive us. */
  release(): Promise<void>
}

const scopes = ['admin']
const aDayMs = 86_400_000

/** On the embedded Postgres the same each time, in a file; in a database of others a new one for a day. */
export function startToken(
  tusk: Tusk,
  database: Database,
  schema: string,
  io: Io,
): Promise<StartToken> {
  if (database.kind === 'given') return passingToken(tusk)
  const file = join(stateDirectoryFor(io), `token.${encodeURIComponent(schema)}`)
  return keptToken(tusk, file)
}

async function keptToken(tusk: Tusk, file: string): Promise<StartToken> {
  const token = (await reuse(tusk, file)) ?? (await make(tusk, file))
  return { token, fate: `admin, kept in ${file}`, release: async () => {} }
}

async function reuse(tusk: Tusk, file: string): Promise<string | undefined> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (kept === '') return undefined
  // The database decides: it may have been made anew, or the token revoked.
  const holder = await tusk.tokens.find(kept)
  if (holder === null || !holder.scopes.includes('admin')) return undefined
  await chmod(file, 0o600)
  return kept
}

async function make(tusk: Tusk, file: string): Promise<string> {
  const { token } = await asPerson(tusk, (on) =>
    tusk.tokens.create({ name: 'tusk start', scopes }, { on }),
  )
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${token}\n`, { mode: 0o600 })
  await rename(draft, file)
  return token
}

async function passingToken(tusk: Tusk): Promise<StartToken> {
  const expiresAt = new Date(Date.now() + aDayMs)
  const { token, id } = await asPerson(tusk, (on) =>
    tusk.tokens.create({ name: 'tusk start', scopes, expiresAt }, { on }),
  )
  return {
    token,
    fate: 'admin, for a day at most; revoked when this stops',
    // Schedules that were made in the dashboard are meant to outlive this process.
    release: async () => {
      await asPerson(tusk, (on) => tusk.tokens.revoke(id, { on, keepSchedules: true }))
    },
  }
}
