import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterFiles } from './cluster-files.ts'
import { isAlive, isPostmaster } from './process-table.ts'
import { reasonOf, systemCode, unavailableError, useAnotherHome } from './unavailable.ts'

export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly isReady: boolean
}

/** How long the backends of a killed postmaster may take to notice and end. */
const orphanGraceMs = 1_500

/** The postmaster that runs on this cluster now, if one does. */
export async function runningPostmaster(files: ClusterFiles): Promise<Postmaster | undefined> {
  const lines = (await readPidFile(files))?.split('\n')
  if (lines === undefined) return undefined
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!(pid > 0) || !(await isPostmaster(pid, files.data))) return undefined
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
}

/**
 * Clears the pid file of a killed postmaster when its pid still looks taken, by a zombie or by a
 * stranger: Postgres would refuse to start. A pid file whose pid is free, Postgres clears itself.
 */
export async function clearStalePidFile(files: ClusterFiles): Promise<void> {
  const stale = await readPidFile(files)
  if (stale === undefined || !isAlive(Number.parseInt(stale, 10))) return
  await delay(orphanGraceMs)
  if ((await runningPostmaster(files)) !== undefined) return
  await moveAside(files, stale)
}

/** Moves first and looks afterwards: between look and removal another starter's file could appear. */
async function moveAside(files: ClusterFiles, stale: string): Promise<void> {
  const pidFile = pidFileOf(files)
  const aside = `${pidFile}.${randomBytes(4).toString('hex')}`
  try {
    await rename(pidFile, aside)
    if ((await readFile(aside, 'utf8')) !== stale) await link(aside, pidFile)
    await rm(aside)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

async function readPidFile(files: ClusterFiles): Promise<string | undefined> {
  try {
    return await readFile(pidFileOf(files), 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    // As a rule it is the cluster of another account: of root's, for example, in a directory of ours.
    const message = `the cluster ${files.directory} cannot be read: ${reasonOf(error)}`
    throw unavailableError(message, error, useAnotherHome)
  }
}

function pidFileOf(files: ClusterFiles): string {
  return join(files.data, 'postmaster.pid')
}
