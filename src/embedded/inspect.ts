import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { attach, type Running } from './attach.ts'
import { type ClusterFiles, listClusters } from './cluster-files.ts'
import { runningPostmaster } from './pid-file.ts'
import { stopPostmaster } from './stop-postmaster.ts'

/** One cluster as it is now, running or not. */
export interface ClusterStatus {
  readonly major: number
  readonly dataDirectory: string
  readonly sizeBytes: number
  readonly log: string
  readonly running: Running | undefined
}

/** Every cluster of the state directory, newest major first. Starts nothing. */
export async function inspect(stateDirectory: string): Promise<ClusterStatus[]> {
  return Promise.all((await clustersOf(stateDirectory)).map(describe))
}

/** The server to talk to: the running one of the newest major. */
export async function findRunning(stateDirectory: string): Promise<Running | undefined> {
  const all = await Promise.all((await clustersOf(stateDirectory)).map(attach))
  return all.find((each) => each !== undefined)
}

/** Stops every server of the state directory, whichever process started it, and gives their pids. */
export async function stopAll(stateDirectory: string): Promise<number[]> {
  const stopped: number[] = []
  for (const files of await clustersOf(stateDirectory)) {
    const postmaster = await runningPostmaster(files)
    if (postmaster === undefined) continue
    await stopPostmaster(files, postmaster.pid)
    stopped.push(postmaster.pid)
  }
  return stopped
}

async function clustersOf(stateDirectory: string): Promise<ClusterFiles[]> {
  return listClusters(await realpath(stateDirectory).catch(() => stateDirectory))
}

async function describe(files: ClusterFiles): Promise<ClusterStatus> {
  const [sizeBytes, running] = await Promise.all([sizeOf(files.data), attach(files)])
  return { major: files.major, dataDirectory: files.data, sizeBytes, log: files.log, running }
}

/** Files come and go in a running cluster: one that is gone weighs nothing. */
async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const sizes = entries.map(async (entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return sizeOf(path)
    return (await lstat(path).catch(() => ({ size: 0 }))).size
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
