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
import { sweepDrafts } from './drafts.ts'
import { findInstallation, type Sources } from './find-installation.ts'
import { initCluster, type Mode } from './init-cluster.ts'
import type { Installation } from './installation.ts'
import { drawAccount } from './own-account.ts'
import { clearStalePidFile } from './pid-file.ts'
import { choosePort, portTaken, rememberPort } from './port.ts'
import { startPostmaster } from './start-postmaster.ts'
import { defaultStateDirectory, openStateDirectory, requireEntry } from './state-directory.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { unavailable } from './unavailable.ts'

/**
 * The embedded Postgres: a real server, from programs npm downloaded or the machine has, in a
 * directory of its own.
 *
 * Any number of processes may launch the same state directory. The first makes and starts the
 * cluster, the others attach; Postgres's own lock file decides who was first. The server outlives
 * a killed starter, and the next launch attaches to it. Only the one who started it stops it.
 */
export interface Cluster {
  /** Connection string of the database `tusk`, password included. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly version: string
  readonly dataDirectory: string
  /** It ran already: someone else started it, and stop() leaves it alone. */
  readonly attached: boolean
  stop(): Promise<void>
}

export interface LaunchOptions extends Sources {
  readonly stateDirectory?: string | undefined
  readonly port?: number | undefined
  readonly mode?: Mode | undefined
  /** The account to run as when we are root. */
  readonly account?: string | undefined
  /** Server settings, for example { max_connections: '200' }. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** Told what takes a moment, in words for people. */
  readonly onProgress?: ((message: string) => void) | undefined
}

/** A start lost to another starter, to a dying backend or to a port taken meanwhile works the next time. */
const passing = /lock file|shared memory block|could not create any TCP\/IP sockets/
const attempts = 5

const notApart = 'a superuser of one can read the files of the others'

/** Gives a running cluster: attaches to it, or starts it, or makes it first. */
export async function launch(options: LaunchOptions = {}): Promise<Cluster> {
  const home = await openStateDirectory(options.stateDirectory ?? defaultStateDirectory())
  const account = await chooseAccount(options.account)
  await requireEntry(home, account)
  const installation = await findInstallation(options, home, account)
  await sweepDrafts(home)
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
  onProgress?.(`Creating a Postgres ${installation.version} cluster in ${files.directory}`)
  if (older !== undefined) {
    onProgress?.(`It starts empty; the data of Postgres ${older.major} stays in ${older.directory}`)
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
  if (before !== undefined) return guestOf(before)

  const refusal = await start(files, installation, account, options)
  const now = await attach(files)
  // Refused or not, another starter may have got through: theirs is as good.
  if (now !== undefined) return refusal === undefined ? ownerOfServer(files, now) : guestOf(now)

  const reason = refusal ?? notStarted(files, 'it was stopped at once')
  if (attempt === attempts || !passing.test(reason.message)) throw reason
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
  return unavailable(`Postgres does not start: ${reason} (log: ${files.log})`)
}

function guestOf({ dataDirectory, pid, port, url, version }: Running): Cluster {
  return { dataDirectory, pid, port, url, version, attached: true, stop: async () => {} }
}

function ownerOfServer(files: ClusterFiles, running: Running): Cluster {
  const stop = () => stopPostmaster(files, running.pid)
  return { ...guestOf(running), attached: false, stop }
}
