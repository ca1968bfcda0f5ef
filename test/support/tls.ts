import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { chooseAccount } from '../../src/embedded/account.ts'
import { launch } from '../../src/embedded/launch.ts'
import { makeCa, makePair, type Pair } from './certificates.ts'

/** A Postgres with a certificate for `localhost`, and an engine in the schema `tusk`. */
export interface TlsServer {
  /** Its connection string by that name, with these parameters. */
  url(parameters: Readonly<Record<string, string>>): string
  /** Where the certificate is of the CA that vouches for it, and of one that does not. */
  readonly ca: string
  readonly otherCa: string
  /** Where a certificate of a client is, and its key. */
  readonly client: Pair
  /** Runs a statement without TLS. */
  ask<Row extends object>(text: string): Promise<Row[]>
  close(): Promise<void>
}

/** Like describe, for what needs certificates; where none can be made, the report says what is missing. */
export function describeWithTls(name: string, tests: () => void): void {
  if (hasOpenssl()) describe(name, tests)
  else describe.skip(`${name} (no openssl on this machine to make certificates with)`, tests)
}

export async function openTlsServer(): Promise<TlsServer> {
  const directory = await mkdtemp(join(tmpdir(), 'tusk-tls-'))
  await chmod(directory, 0o755)
  const { ca, otherCa, server, client } = await makeCertificates(directory)
  const stateDirectory = join(directory, 'postgres')
  await mkdir(stateDirectory, { mode: 0o755 })
  const cluster = await launch({
    stateDirectory,
    mode: 'test',
    bin: process.env['TUSK_TEST_POSTGRES_BIN'] || undefined,
    // Not an account of its own: it has to read the key.
    account: (await chooseAccount())?.name,
    settings: {
      ssl: 'on',
      ssl_ca_file: ca,
      ssl_cert_file: server.certificate,
      ssl_key_file: server.key,
    },
  })
  await migrate(cluster.url, { roles: false })
  const plain = new pg.Pool({ connectionString: cluster.url, application_name: 'test', max: 1 })
  return {
    url: (parameters) => {
      const url = new URL(cluster.url)
      url.hostname = 'localhost'
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    ca,
    otherCa,
    client,
    ask: async <Row extends object>(text: string) => (await plain.query<Row>(text)).rows,
    close: async () => {
      await plain.end()
      await cluster.stop()
      await rm(directory, { recursive: true })
    },
  }
}

async function makeCertificates(directory: string) {
  const [ca, otherCa] = [await makeCa(directory, 'ca'), await makeCa(directory, 'other')]
  const server = await makePair(directory, 'localhost', ca)
  const account = await chooseAccount()
  if (account !== undefined) await chown(server.key, account.uid, account.gid)
  const client = await makePair(directory, 'client', ca)
  return { ca: ca.certificate, otherCa: otherCa.certificate, server, client }
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
