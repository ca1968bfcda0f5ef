import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { TuskError } from '../lib/errors.ts'
import type { ClusterFiles } from './cluster-files.ts'
import { unavailableError } from './unavailable.ts'

/**
 * The port to listen on: the one asked for, else the last one used, so that URLs stay good, else
 * any. Undefined when it is taken.
 */
export async function choosePort(
  files: ClusterFiles,
  wanted?: number,
): Promise<number | undefined> {
  if (wanted !== undefined) return tryPort(wanted)
  const last = Number(await readFile(files.port, 'utf8').catch(() => '0'))
  return (await tryPort(last)) ?? (await tryPort(0))
}

export function portTaken(wanted: number | undefined): TuskError {
  if (wanted === undefined) return unavailableError('no port is free on 127.0.0.1')
  const hint = 'Choose another with --postgres-port, or leave it out and a free one is found.'
  return unavailableError(`port ${wanted} is taken by another program`, undefined, hint)
}

/** Kept only once the server listens there: a starter that lost the race found the good port taken. */
export async function rememberPort(files: ClusterFiles, port: number): Promise<void> {
  await writeFile(files.port, `${port}\n`)
}

/** The port if it can be listened on; zero asks the system for any. */
function tryPort(port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      const taken = typeof address === 'object' ? address?.port : undefined
      server.close(() => done(taken))
    })
  })
}
