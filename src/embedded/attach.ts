import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterFiles } from './cluster-files.ts'
import { login, type Server } from './login.ts'
import { runningPostmaster } from './pid-file.ts'
import { systemCode, unavailableError } from './unavailable.ts'

/** Crash recovery of a busy cluster takes a while; a start that hangs must still end. */
const patienceMs = 120_000

export interface Running extends Server {
  readonly pid: number
  readonly port: number
}

/**
 * The server that runs on this cluster, once it takes logins; undefined when none runs.
 * Three things must agree: a live pid, its command line, and its own word behind the password.
 */
export async function attach(files: ClusterFiles): Promise<Running | undefined> {
  const deadline = Date.now() + patienceMs
  while (Date.now() < deadline) {
    const postmaster = await runningPostmaster(files)
    if (postmaster === undefined) return undefined
    const server = postmaster.isReady ? await tryLogin(files, postmaster.port) : undefined
    if (server !== undefined) return { ...server, pid: postmaster.pid, port: postmaster.port }
    await delay(20)
  }
  throw unavailableError(`Postgres in ${files.data} runs but is not ready; its log is ${files.log}`)
}

/** Undefined while the server starts up or shuts down; its pid file tells which on the next look. */
async function tryLogin(files: ClusterFiles, port: number): Promise<Server | undefined> {
  try {
    const server = await login(files, port)
    if (server.dataDirectory === files.data) return server
  } catch (error) {
    if (isPassing(error)) return undefined
    throw unavailableError(`cannot log in to the Postgres of ${files.directory}`, error)
  }
  throw unavailableError(
    `port ${port} is answered by a Postgres other than that of ${files.directory}`,
  )
}

const passingCodes = ['57P03', '57P01', 'ECONNREFUSED', 'ECONNRESET']

/** A server that shuts down may cut a login without a word; the driver's error has no code then. */
function isPassing(error: unknown): boolean {
  const isCut = error instanceof Error && error.message.startsWith('Connection terminated')
  return isCut || passingCodes.includes(systemCode(error) ?? '')
}
