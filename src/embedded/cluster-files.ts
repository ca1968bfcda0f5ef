import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode, unavailableError, useAnotherHome } from './unavailable.ts'

/**
 * One cluster on disk. Postgres's account owns `data` and nothing else, so that a root process
 * never follows a link planted by a role that may run SQL here.
 */
export interface ClusterFiles {
  readonly major: number
  readonly directory: string
  readonly data: string
  readonly log: string
  readonly password: string
  readonly port: string
  /** The pid of a server that stays when no program uses it. */
  readonly kept: string
}

/** One directory per major: a newer Postgres cannot read an older one's data. */
export function clusterFiles(stateDirectory: string, major: number): ClusterFiles {
  return filesIn(join(stateDirectory, `pg${major}`), major)
}

export function filesIn(directory: string, major: number): ClusterFiles {
  return {
    major,
    directory,
    data: join(directory, 'data'),
    log: join(directory, 'postgres.log'),
    password: join(directory, 'password'),
    port: join(directory, 'port'),
    kept: join(directory, 'kept'),
  }
}

/** The clusters of a state directory, newest major first. */
export async function listClusters(stateDirectory: string): Promise<ClusterFiles[]> {
  const names = await readdir(stateDirectory).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return []
    const message = `the state directory ${stateDirectory} cannot be read`
    throw unavailableError(message, error, useAnotherHome)
  })
  return names
    .map((name) => /^pg(\d+)$/.exec(name)?.[1])
    .filter((major) => major !== undefined)
    .map((major) => clusterFiles(stateDirectory, Number(major)))
    .sort((a, b) => b.major - a.major)
}

export async function isInitialized(files: ClusterFiles): Promise<boolean> {
  try {
    await stat(files.directory)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw unavailableError(`the cluster ${files.directory} cannot be read`, error)
  }
}

export async function readPassword(files: ClusterFiles): Promise<string> {
  try {
    return (await readFile(files.password, 'utf8')).trim()
  } catch (error) {
    throw unavailableError(`the password of the cluster cannot be read: ${files.password}`, error)
  }
}

/** Why Postgres gave up, in its own words. */
export async function lastWords(files: ClusterFiles): Promise<string> {
  const log = await readFile(files.log, 'utf8').catch(() => '')
  const lines = log.trimEnd().split('\n').slice(-20)
  const fatal = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1) ?? ''
  return fatal.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, '')
}
