import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { build } from 'vite'
import { project } from '../project.ts'

/** Memory of the server process, and processor time since it started. */
export interface Usage {
  readonly heapBytes: number
  readonly residentBytes: number
  readonly cpuMs: number
}

/** The server of a stage, with the present build of the dashboard. */
export interface Site {
  readonly url: string
  /** A token that may do everything. */
  readonly token: string
  usage(): Promise<Usage>
  stop(): Promise<void>
}

export async function openSite(admin: Client, schema: string): Promise<Site> {
  const dashboard = await mkdtemp(join(tmpdir(), 'tusk-bench-dashboard-'))
  const configFile = join(project, 'vite.config.ts')
  await build({ configFile, logLevel: 'error', build: { outDir: dashboard } })
  const token = `tusk_benchmrk_${randomBytes(32).toString('base64url')}`
  const program = fileURLToPath(new URL('./server.js', import.meta.url))
  const child = fork(program, [addressOf(admin), schema, dashboard, token], {
    execArgv: ['--expose-gc'],
  })
  const url = await answer<string>(child)
  return {
    url,
    token,
    usage: () => {
      child.send('usage')
      return answer<Usage>(child)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.send('stop')
      await ended
      await rm(dashboard, { recursive: true })
    },
  }
}

function addressOf({ host, port, user, password, database }: Client): string {
  const login = [user, password].map((part) => encodeURIComponent(part ?? '')).join(':')
  return `postgres://${login}@${host}:${port}/${database}`
}

/** The next line that the server prints. Throws if the server ends instead. */
async function answer<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController()
  const failure = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('the server of the dashboard has ended')
  })
  try {
    const [said] = await Promise.race([once(child, 'message', { signal: ended.signal }), failure])
    return said as T
  } finally {
    failure.catch(() => {})
    ended.abort()
  }
}
