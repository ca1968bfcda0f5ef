import { execFile, execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { chooseAccount } from '../../src/embedded/account.ts'
import { launch } from '../../src/embedded/launch.ts'

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

interface Pair {
  readonly key: string
  readonly certificate: string
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

async function makePair(directory: string, name: string, ca: Pair): Promise<Pair> {
  const path = (ending: string) => join(directory, `${name}.${ending}`)
  const [key, request, certificate] = [path('key'), path('csr'), path('crt')]
  await writeFile(path('san'), `subjectAltName=DNS:${name}`)
  await openssl('req', ...newKey(key), '-out', request, '-subj', `/CN=${name}`)
  await openssl(
    ...['x509', '-req', '-in', request, '-CA', ca.certificate, '-CAkey', ca.key],
    ...['-CAcreateserial', '-days', '2', '-extfile', path('san'), '-out', certificate],
  )
  await chmod(key, 0o600)
  return { key, certificate }
}

async function makeCa(directory: string, name: string): Promise<Pair> {
  const [key, certificate] = [join(directory, `${name}.key`), join(directory, `${name}.crt`)]
  await openssl(
    'req',
    '-x509',
    ...newKey(key),
    '-out',
    certificate,
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
  )
  return { key, certificate }
}

function newKey(path: string): string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', path]
}

async function openssl(...args: string[]): Promise<void> {
  await promisify(execFile)('openssl', args)
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
