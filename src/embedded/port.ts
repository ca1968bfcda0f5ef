import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { ClusterFiles } from './cluster-files.ts'
import { unavailable } from './unavailable.ts'

/** The port to listen on: the one asked for, else the last one used, so that URLs stay good. */
export async function choosePort(files: ClusterFiles, wanted?: number): Promise<number> {
  if (wanted !== undefined && (await tryPort(wanted)) === undefined) {
    const hint = 'Choose another with --port, or leave it out and a free one is found.'
    throw unavailable(`port ${wanted} is taken by another program`, undefined, hint)
  }
  const last = Number(await readFile(files.port, 'utf8').catch(() => '0'))
  const port = wanted ?? (await tryPort(last)) ?? (await tryPort(0))
  if (port === undefined) throw unavailable('no free port on 127.0.0.1')
  return port
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
