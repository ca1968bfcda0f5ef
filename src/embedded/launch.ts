import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TuskError } from '../lib/errors.ts'
import { type Account, chooseAccount, idleAccount, ownerOf, sharedAccount } from './account.ts'
import { attach, type Running } from './attach.ts'
import {
  type ClusterFiles,
  clusterFiles,
  isInitialized,
  lastWords,
  listClusters,
} from './cluster-files.ts'
import { removeOldDrafts } from './drafts.ts'
import { findInstallation, type Sources } from './find-installation.ts'
import { initCluster, type Mode } from './init-cluster.ts'
import type { Installation } from './installation.ts'
import { drawAccount } from './own-account.ts'
import { clearStalePidFile } from './pid-file.ts'
import { choosePort, portTaken, rememberPort } from './port.ts'
import { isKept, joinCluster, keepCluster, type Share } from './share.ts'
import { startPostmaster } from './start-postmaster.ts'
import { defaultStateDirectory, openStateDirectory, requireEntry } from './state-directory.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { unavailableError } from './unavailable.ts'

/**
 * The embedded Postgres: a real server, from programs npm downloaded or the machine has, in a
 * directory of its own.
 *
 * Any number of processes may launch the same state directory. The first makes and starts the
 * cluster, the others attach; Postgres's own lock file decides who was first. The server outlives
 * a killed starter, and the next launch attaches to it. The last one that uses it stops it (share.ts), unless it
 * was started to stay.
 */
export interface Cluster {
  /** Connection string of the database `tusk`, password included. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly version: string
  readonly dataDirectory: string
  /** It ran already: another program started it. */
  readonly attached: boolean
  /** Stops Postgres if no other program uses it. */
  stop(): Promise<Stopped>
}

/** What became of Postgres: stopped, used by other programs, or started to stay by `tusk db start`. */
export type Stopped = 'stopped' | 'in use' | 'kept'

export interface LaunchOptions extends Sources {
  readonly stateDirectory?: string | undefined
  readonly port?: number | undefined
  readonly mode?: Mode | undefined
  /** The account to run as when we are root. */
  readonly account?: string | undefined
  /** Server settings, for example { max_connections: '200' }. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** Postgres stays when this program ends, and the next ones: until `tusk db stop`. */
  readonly keep?: boolean | undefined
  /** Called with what takes a moment, in words for people. */
  readonly onProgress?: ((message: string) => void) | undefined
}

/**
 * A start lost to another starter, to a dying backend or to a port taken meanwhile works the next time. After a crash, backends of the
 * old server may write their last line behind the reason for which the new one gave up.
 */
const passing =
  /lock file|shared memory block|unexpected postmaster exit|could not create any TCP\/IP sockets/
const attempts = 5

/** Without a refusal it ran: another program stopped it before we had a share in it. */
function isPassing(refusal: TuskError | undefined): boolean {
  return refusal === undefined || passing.test(refusal.message)
}

const notApart = 'a superuser of one can read the files of the others'

/** Gives a running cluster: attaches to it, or starts it, or makes it first. */
export async function launch(options: LaunchOptions = {}): Promise<Cluster> {
  const home = await openStateDirectory(options.stateDirectory ?? defaultStateDirectory())
  const account = await chooseAccount(options.account)
  await requireEntry(home, account)
  const installation = await findInstallation(options, home, account)
  await removeOldDrafts(home)
  const files = clusterFiles(home, installation.major)
  if (!(await isInitialized(files))) await create(home, files, installation, account, options)
  return joinOrStart(files, installation, await ownerOf(files.data, account), options)
}

async function create(
  home: string,
  files: ClusterFiles,
  installation: Installation,
  account: Account | undefined,
  { mode = 'durable', onProgress, account: wanted }: LaunchOptions,
): Promise<void> {
  const [older] = await listClusters(home)
  const [former] = await listClusters(dirname(home))
  onProgress?.(`Creating a Postgres ${installation.version} cluster in ${files.directory}`)
  if (older !== undefined) {
    onProgress?.(`It starts empty; the data of Postgres ${older.major} stays in ${older.directory}`)
  }
  if (former !== undefined) {
    onProgress?.(
      `Each project has a cluster of its own. To use ${former.directory} instead, set TUSK_HOME=${dirname(home)}`,
    )
  }
  const isShared = wanted === undefined && account?.name === sharedAccount
  const owner = isShared ? await drawAccount() : undefined
  if (isShared && owner === undefined) {
    onProgress?.(`It runs as ${sharedAccount}, as may other clusters of this machine: ${notApart}`)
  }
  const maker = owner === undefined || account === undefined ? account : await idleAccount(account)
  await initCluster(home, files, installation, maker, { mode, owner })
}

async function joinOrStart(
  files: ClusterFiles,
  installation: Installation,
  account: Account | undefined,
  options: LaunchOptions,
  attempt = 1,
): Promise<Cluster> {
  const before = await attach(files)
  const joined = before && (await openCluster(files, before, true, options))
  if (joined !== undefined) return joined

  const refusal = await start(files, installation, account, options)
  const now = await attach(files)
  // Refused or not, another starter may have got through: theirs is as good.
  const started = now && (await openCluster(files, now, refusal !== undefined, options))
  if (started !== undefined) return started

  const reason = refusal ?? notStarted(files, 'it was stopped at once')
  if (attempt === attempts || !isPassing(refusal)) throw reason
  await delay(100 * attempt)
  return joinOrStart(files, installation, account, options, attempt + 1)
}

/** Starts the server, or gives the reason why not. */
async function start(
  files: ClusterFiles,
  installation: Installation,
  account: Account | undefined,
  { port: wanted, mode = 'durable', settings = {} }: LaunchOptions,
): Promise<TuskError | undefined> {
  await clearStalePidFile(files)
  const port = await choosePort(files, wanted)
  if (port === undefined) return portTaken(wanted)
  const isReady = await startPostmaster(files, installation, account, { port, mode, settings })
  if (!isReady) return notStarted(files, await lastWords(files))
  await rememberPort(files, port)
  return undefined
}

function notStarted(files: ClusterFiles, reason: string): TuskError {
  return unavailableError(`Postgres does not start: ${reason} (log: ${files.log})`)
}

/** Undefined when Postgres stopped before we had a share in it. */
async function openCluster(
  files: ClusterFiles,
  running: Running,
  attached: boolean,
  { keep = false }: LaunchOptions,
): Promise<Cluster | undefined> {
  const { dataDirectory, pid, port, url, version } = running
  const share = await joinCluster(files, port)
  if (share === undefined) return undefined
  if (keep) await keepCluster(files, pid)
  let stopped: Promise<Stopped> | undefined
  const stop = () => {
    stopped ??= leaveCluster(files, running, share)
    return stopped
  }
  return { dataDirectory, pid, port, url, version, attached, stop }
}

async function leaveCluster(files: ClusterFiles, running: Running, share: Share): Promise<Stopped> {
  try {
    if (!(await share.leave())) return 'in use'
    if (await isKept(files, running.pid)) return 'kept'
    await stopPostmaster(files, running.pid)
    return 'stopped'
  } finally {
    await share.end()
  }
}
