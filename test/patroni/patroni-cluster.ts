import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAll } from '../support/server-pair.ts'
import { until } from '../support/until.ts'

const bin = '/usr/lib/postgresql/15/bin'

/** Why the cluster cannot be had here; undefined if it can. */
export function whyNoPatroni(): string | undefined {
  const missing = ['patroni', 'etcd'].filter((name) => !existsSync(`/usr/bin/${name}`))
  if (!existsSync(`${bin}/postgres`)) missing.push('postgresql-15')
  if (missing.length > 0) return `no ${missing.join(', ')}: apt-get install patroni etcd-server`
  return process.getuid?.() === 0 ? undefined : 'it must be root to run as postgres'
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

interface Node {
  readonly name: string
  readonly port: number
  readonly api: string
  readonly data: string
  readonly process: ChildProcess
}

export interface PatroniCluster {
  /** All three hosts in one connection string. */
  readonly url: string
  leader(): Promise<string>
  /** Whether a standby has all that is acknowledged. */
  isSafe(): Promise<boolean>
  /** The planned change of the primary; gives the name of the new one. */
  switchover(): Promise<string>
  /** As if the machine of the primary had lost power: Patroni and Postgres are gone at once. */
  killPrimary(): Promise<string>
  close(): Promise<void>
}

/** etcd and three nodes under Patroni from Debian's packages, with synchronous replication. */
export async function openPatroniCluster(): Promise<PatroniCluster> {
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  const home = await mkdtemp(join(tmpdir(), 'tusk-patroni-'))
  await chmod(home, 0o755)
  const start = (name: string, program: string, args: readonly string[]) => {
    const log = openSync(join(home, `${name}.log`), 'a')
    // A group of its own, which Ctrl-C does not reach: close() stops them in order.
    return spawn(program, args, {
      cwd: home,
      uid,
      gid,
      stdio: ['ignore', log, log],
      detached: true,
    })
  }
  const etcdPort = await freePort()
  const etcd = start('etcd', '/usr/bin/etcd', await etcdArguments(home, etcdPort, [uid, gid]))
  const nodes: Node[] = []
  const alive = () => nodes.filter(({ process }) => process.exitCode === null && !process.killed)
  const close = async () => {
    const leaving = alive().map(({ process }) => once(process, 'exit'))
    for (const node of alive()) node.process.kill('SIGTERM')
    await Promise.all(leaving)
    etcd.kill('SIGKILL')
    await rm(home, { recursive: true, force: true })
  }
  const addNode = async (name: string) => {
    const [port, apiPort] = [await freePort(), await freePort()]
    const data = join(home, name)
    const config = join(home, `${name}.yml`)
    const run = join(home, `${name}.run`)
    for (const folder of [data, run]) {
      await mkdir(folder, { mode: 0o700 })
      await chown(folder, uid, gid)
    }
    await writeFile(config, settings({ home, name, port, apiPort, etcdPort, data }))
    const process = start(name, '/usr/bin/patroni', [config])
    nodes.push({ name, port, api: `http://127.0.0.1:${apiPort}`, data, process })
  }
  try {
    await addNode('node1')
    // It makes the cluster, and the others copy it.
    await until(async () => (await members(nodes)).some(isLeader))
    await addNode('node2')
    await addNode('node3')
    await until(async () => hasSyncStandby(await members(nodes)))
  } catch (error) {
    await close()
    throw error
  }
  const cluster = {
    url: `postgres://postgres:secret@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`,
    leader: async () => (await members(alive())).find(isLeader)?.name ?? 'none',
    isSafe: async () => hasSyncStandby(await members(alive())),
    switchover: async () => {
      const before = await cluster.leader()
      const candidate = (await members(alive())).find(({ role }) => role === 'sync_standby')?.name
      const { api } = named(nodes, before)
      const body = JSON.stringify({ leader: before, candidate })
      const answer = await fetch(`${api}/switchover`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`)
      return await cluster.leader()
    },
    killPrimary: async () => {
      const name = await cluster.leader()
      const node = named(nodes, name)
      node.process.kill('SIGKILL')
      await killAll(await postmaster(node))
      return name
    },
    close,
  }
  return cluster
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres']))
}

/** At least two members, and one of the replicas has all that was acknowledged. */
function hasSyncStandby(all: readonly Member[]): boolean {
  const running = all.filter(({ state }) => state === 'running' || state === 'streaming')
  return running.length >= 2 && all.some(({ role }) => role === 'sync_standby')
}

async function members(nodes: readonly Node[]): Promise<Member[]> {
  for (const { api } of nodes) {
    const answer = await fetch(`${api}/cluster`).catch(() => undefined)
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
  }
  return []
}

const isLeader = ({ role }: Member) => role === 'leader'

function named(nodes: readonly Node[], name: string): Node {
  const node = nodes.find((each) => each.name === name)
  if (node === undefined) throw new Error(`no node ${name}`)
  return node
}

async function postmaster({ data }: Node): Promise<number> {
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function etcdArguments(home: string, port: number, owner: readonly [number, number]) {
  const data = join(home, 'etcd')
  await mkdir(data, { mode: 0o700 })
  await chown(data, ...owner)
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`]
  return [
    ...['--data-dir', data, '--name', 'one', '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `one=${peer}`],
  ]
}

interface Place {
  readonly home: string
  readonly name: string
  readonly port: number
  readonly apiPort: number
  readonly etcdPort: number
  readonly data: string
}

/** The settings of docs/how-to/high-availability.md. YAML takes JSON. */
function settings({ home, name, port, apiPort, etcdPort, data }: Place): string {
  const login = (username: string) => ({ username, password: 'secret' })
  return JSON.stringify({
    scope: 'tusk',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 60, wal_keep_size: '256MB', shared_buffers: '32MB' },
        },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }],
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: bin,
      pgpass: join(home, `${name}.run`, 'pgpass'),
      authentication: {
        superuser: login('postgres'),
        replication: login('replicator'),
        rewind: login('rewinder'),
      },
      parameters: {
        unix_socket_directories: join(home, `${name}.run`),
        password_encryption: 'scram-sha-256',
      },
    },
  })
}
