import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The files of a certificate and its key. */
export interface Pair {
  readonly key: string
  readonly certificate: string
}

/** A certificate for a host name, by this CA, and its key. */
export async function makePair(directory: string, name: string, ca: Pair): Promise<Pair> {
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

/** A CA of its own. */
export async function makeCa(directory: string, name: string): Promise<Pair> {
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
