import { execFile } from 'node:child_process'
import { appendFile, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stopAll } from '../../src/embedded/inspect.ts'
import type { Cluster } from '../../src/embedded/launch.ts'
import { launchIn, query } from './home.ts'
import { until } from './until.ts'

const run = promisify(execFile)

/** A primary and its synchronous standby, both of this test's own. */
export interface ServerPair {
  readonly primary: Cluster
  readonly standby: Cluster
  /** Both hosts in one connection string. */
  readonly url: string
  /** No goodbye: as if the machine of the primary had lost power. */
  killPrimary(): Promise<void>
  /** It takes no writes any more, and every connection to it stays open. */
  demotePrimary(): Promise<void>
  /** The standby becomes a primary. */
  promote(): Promise<void>
  close(): Promise<void>
}

/** `prepare` is done on the primary before it is copied. */
export async function openServerPair(prepare: (url: string) => Promise<void>): Promise<ServerPair> {
  const home = await mkdtemp(join(tmpdir(), 'tusk-primary-'))
  const otherHome = await mkdtemp(join(tmpdir(), 'tusk-standby-'))
  const first = await launchIn(home)
  await prepare(first.url)
  await first.stop()
  await run('cp', ['-a', `${home}/.`, otherHome])
  const primary = await launchIn(home, { port: first.port })
  await follow(first.dataDirectory.replace(home, otherHome), new URL(primary.url))
  const standby = await launchIn(otherHome, { port: await otherPort(primary.port) })
  await query(primary.url, `alter system set synchronous_standby_names = 'second'`)
  await query(primary.url, 'select pg_reload_conf()')
  await until(async () => {
    const [row] = await query(primary.url, 'select sync_state from pg_stat_replication')
    return row?.['sync_state'] === 'sync'
  })
  const url = new URL(primary.url)
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
  return {
    primary,
    standby,
    url: `postgres://${url.username}:${url.password}@${hosts}${url.pathname}?target_session_attrs=read-write`,
    killPrimary: () => killAll(primary.pid),
    demotePrimary: async () => {
      await query(primary.url, 'alter system set default_transaction_read_only = on')
      await query(primary.url, 'select pg_reload_conf()')
      // What had begun before may still write, and must have come to the standby.
      await until(async () => {
        const [row] = await query(
          primary.url,
          `select not exists (select from pg_stat_activity where backend_xid is not null) as idle`,
        )
        return row?.['idle']
      })
    },
    promote: async () => {
      await query(standby.url, 'select pg_promote()')
    },
    close: async () => {
      await Promise.all([stopAll(home), stopAll(otherHome)])
      await rm(home, { recursive: true })
      await rm(otherHome, { recursive: true })
    },
  }
}

/**
 * Kills a server with all its processes. Left alone, they notice the death of the first, give up waiting for
 * the standby and answer sessions that waited for them: a machine without power does not.
 */
export async function killAll(pid: number): Promise<void> {
  // It neither starts a process any more nor notices that one has died.
  process.kill(pid, 'SIGSTOP')
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const children = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? child : []))
  for (const each of [...children, pid]) process.kill(each, 'SIGKILL')
}

async function follow(data: string, primary: URL): Promise<void> {
  const conninfo = `host=127.0.0.1 port=${primary.port} user=${primary.username} password=${primary.password} application_name=second`
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  const signal = join(data, 'standby.signal')
  await writeFile(signal, '')
  const { uid, gid } = await stat(data)
  await chown(signal, uid, gid)
}

async function otherPort(taken: number): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port === taken ? otherPort(taken) : port
}
