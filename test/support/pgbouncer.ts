import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject } from 'vitest'
import type { TuskOptions } from '../../src/client/options.ts'
import { Tusk } from '../../src/client/tusk.ts'
import { chooseAccount } from '../../src/embedded/account.ts'
import { identity } from '../../src/embedded/run-program.ts'
import type { Tasks } from '../../src/tasks/task-list.ts'
import { test as base } from './worker.ts'

/** A real PgBouncer before the Postgres of this run. */
export interface PgBouncer {
  /** Like inject('pgUrl'), through the pooler. */
  readonly url: string
  close(): Promise<void>
}

export interface PgBouncerOptions {
  readonly mode?: 'transaction' | 'session'
  /** Connections to the server, for all clients together. */
  readonly poolSize?: number
}

/** Debian puts it where only root looks. */
const places = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
const program = process.env['TUSK_PGBOUNCER'] || places.map(inPlace).find(isProgram)

/** Like describe, for what needs a PgBouncer; where there is none, the report says what is missing. */
export function describeBehindPgBouncer(name: string, tests: () => void): void {
  if (program !== undefined) describe(name, tests)
  else
    describe.skip(
      `${name} (no PgBouncer on this machine: install one, or set TUSK_PGBOUNCER)`,
      tests,
    )
}

interface PoolerFixtures {
  /** A pooler in transaction mode with fewer connections than these tests have clients. */
  pooler: PgBouncer
  /** Opens clients through the pooler; closed after the test. */
  open: <const T extends Tasks = readonly []>(options?: TuskOptions<T>) => Promise<Tusk<T>>
  /** A connection through the pooler, as any producer has it; closed after the test. */
  producer: () => Promise<pg.Client>
}

/** A real engine, and a real pooler before it; workers of `work` go past the pooler. */
export const test = base.extend<PoolerFixtures>({
  pooler: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
    async ({}, use) => {
      const pooler = await openPgBouncer()
      await use(pooler)
      await pooler.close()
    },
    { scope: 'file' },
  ],

  open: async ({ db: _, pooler, schema }, use) => {
    const opened: { close(): Promise<void> }[] = []
    await use(async (options = {}) => {
      const client = await Tusk.open({ database: pooler.url, schema, ...options })
      opened.push(client)
      return client
    })
    for (const client of opened) await client.close()
  },

  producer: async ({ db: _, pooler }, use) => {
    const clients: pg.Client[] = []
    await use(async () => {
      const client = new pg.Client(pooler.url)
      clients.push(client)
      await client.connect()
      return client
    })
    for (const client of clients) await client.end()
  },
})

/** Starts one in a folder and on a port of its own; everything not said here is as PgBouncer has it. */
export async function openPgBouncer(options: PgBouncerOptions = {}): Promise<PgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), 'tusk-pgbouncer-'))
  // Root made it, and PgBouncer, which will not run as root, reads it.
  await chmod(directory, 0o755)
  const port = await freePort()
  const config = join(directory, 'pgbouncer.ini')
  await writeFile(config, configText(directory, port, options))
  await writeFile(join(directory, 'users.txt'), usersText())
  const stop = await start(config)
  const url = new URL(inject('pgUrl'))
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    close: async () => {
      await stop()
      await rm(directory, { recursive: true })
    },
  }
}

function configText(
  directory: string,
  port: number,
  { mode = 'transaction', poolSize = 3 }: PgBouncerOptions,
): string {
  const server = new pg.Client(inject('pgUrl'))
  return `[databases]
* = host=${server.host} port=${server.port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(directory, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 200
`
}

/** With it PgBouncer logs in at the server; its own clients need no password. */
function usersText(): string {
  const { user, password } = new pg.Client(inject('pgUrl'))
  const quoted = (text: unknown) => `"${String(text ?? '').replaceAll('"', '""')}"`
  return `${quoted(user)} ${quoted(password)}\n`
}

/**
 * Through a shell that reads from a pipe: the pipe ends with this process, whatever ends it, and so
 * does the pooler.
 */
async function start(config: string): Promise<() => Promise<void>> {
  const script = '"$0" "$1" & read -r _; kill -TERM $!; wait $!'
  const shell = spawn('sh', ['-c', script, program ?? '', config], {
    ...identity(await chooseAccount()),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()))
  const stop = async () => {
    shell.stdin.end()
    await ended
  }
  let said = ''
  try {
    await new Promise<void>((resolve, reject) => {
      shell.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (/process up/.test(said)) resolve()
        if (/FATAL|not found/.test(said)) reject(new Error(`PgBouncer does not start: ${said}`))
      })
      shell.once('close', () => reject(new Error(`PgBouncer does not start: ${said}`)))
    })
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function inPlace(directory: string): string {
  return join(directory, 'pgbouncer')
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
