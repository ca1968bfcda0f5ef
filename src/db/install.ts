import type { ClientBase } from 'pg'
import { type Duration, toTimerMs } from '../lib/duration.ts'
import type { KnownOptions } from '../lib/require-known.ts'
import { type InstallScript, takeTurns } from './install-script.ts'
import { compare, readInstalled } from './installed.ts'
import { isPassing, schemaLocked } from './locks.ts'
import { translate } from './queryable.ts'
import { type RetryLimits, retry } from './retry.ts'
import { localDdl, requireOwnSchemas, safeSearchPath } from './schema-owner.ts'

/** How long an install waits for tables that are in use. */
export interface InstallPatience {
  /** How long one try waits for the table locks before it lets other transactions pass. */
  readonly lockTimeoutMs?: Duration | undefined
  /** How many tries before it fails with `schema_locked`. */
  readonly tries?: number | undefined
  /** The longest pause after the first failed try. It doubles with each further one. */
  readonly retryDelayMs?: Duration | undefined
  /** Called with the number of applied files and the number of new or changed files. */
  readonly onApplied?: ((done: number, total: number) => void) | undefined
  /** Runs in the transaction before the files. */
  readonly before?: ((client: ClientBase) => Promise<void>) | undefined
  /** Runs in the transaction after the files. Its result decides whether the transaction is committed. */
  readonly within?: ((client: ClientBase) => Promise<'commit' | 'rollback'>) | undefined
}

interface Notice {
  readonly message?: string | undefined
  readonly hint?: string | undefined
  readonly code?: string | undefined
}

export interface InstallReport {
  readonly schema: string
  /** The files that were new or changed, by their path in their SQL folder. */
  readonly applied: readonly string[]
  /** The files that no longer exist. Their functions were dropped. */
  readonly removed: readonly string[]
  /** What could not be done but is not required, in sentences. */
  readonly notices: readonly string[]
}

/** The SQLSTATE that install_file() raises for each file, because messages depend on the server's language. */
const fileApplied = 'TKFIL'

const usualLockTimeoutMs = 2_000

/** How long to wait for the table locks. */
export function lockTimeoutOf({ lockTimeoutMs = usualLockTimeoutMs }: InstallPatience): number {
  return toTimerMs('lockTimeoutMs', lockTimeoutMs, 1)
}

export const patienceOptions: KnownOptions<InstallPatience> = {
  lockTimeoutMs: true,
  tries: true,
  retryDelayMs: true,
  onApplied: true,
  before: true,
  within: true,
}

function limits({ tries = 15, retryDelayMs = 200 }: InstallPatience): RetryLimits {
  return { tries, delayMs: toTimerMs('retryDelayMs', retryDelayMs), longestDelayMs: 4_000 }
}

/** Runs the script in one transaction, and tries again as often as allowed if tables are locked. */
export async function install(
  client: ClientBase,
  schema: string,
  script: InstallScript,
  patience: InstallPatience,
): Promise<InstallReport> {
  const notices = new Set<string>()
  const listen = ({ message, hint, code }: Notice) => {
    if (code !== fileApplied) notices.add([message, hint].filter(Boolean).join('. '))
  }
  client.on('notice', listen)
  try {
    const changes = await retry(limits(patience), isPassing, () =>
      installOnce(client, schema, script, patience),
    )
    return { schema, ...changes, notices: [...notices] }
  } catch (error) {
    throw isPassing(error) ? await schemaLocked(client, schema, error) : translate(error)
  } finally {
    client.off('notice', listen)
  }
}

async function installOnce(
  client: ClientBase,
  schema: string,
  script: InstallScript,
  { onApplied, before, within }: InstallPatience,
): Promise<Pick<InstallReport, 'applied' | 'removed'>> {
  let stopHearing = () => {}
  try {
    await client.query(
      `begin isolation level read committed;
       set local statement_timeout = 0;
       set local lock_timeout = 0;
       ${localDdl};
       ${safeSearchPath};
       select ${takeTurns(schema)}`,
    )
    // Before anything is read from the schema: another role may have put a view there that runs its code.
    await client.query(requireOwnSchemas([schema]))
    await before?.(client)
    const changes = compare(script.files, (await readInstalled(client, schema)) ?? []).filter(
      ({ state }) => state !== 'applied',
    )
    if (onApplied !== undefined) stopHearing = await hear(client, changes.length, onApplied)
    if (changes.length > 0) await client.query(script.text)
    await client.query(within === undefined ? 'commit' : await within(client))

    const removed = changes.filter(({ state }) => state === 'removed')
    const applied = changes.filter(({ state }) => state !== 'removed')
    return { applied: applied.map(({ path }) => path), removed: removed.map(({ path }) => path) }
  } catch (error) {
    // If this cannot be sent, the connection is gone, and the transaction with it.
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    stopHearing()
  }
}

/** Makes install_file() announce each applied file, for the length of this transaction. */
async function hear(
  client: ClientBase,
  total: number,
  onApplied: (done: number, total: number) => void,
): Promise<() => void> {
  let done = 0
  const count = ({ code }: Notice) => {
    if (code !== fileApplied) return
    done += 1
    onApplied(done, total)
  }
  await client.query('set local tusk.tells_files = on')
  client.on('notice', count)
  return () => client.off('notice', count)
}
