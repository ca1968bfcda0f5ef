import type { ConnectionOptions } from 'node:tls'

type Check = NonNullable<ConnectionOptions['checkServerIdentity']>

/** The fingerprints of certificates that a check found good. */
export const approvedFingerprints = new WeakMap<Check, Set<string>>()

/**
 * An application may look at certificates its own way. That is a function, which the thread that keeps the
 * leases cannot be given; it gets the certificates that were approved on the connections here instead.
 */
export function rememberApprovedCertificates(ssl: ConnectionOptions): ConnectionOptions {
  const { checkServerIdentity: check } = ssl
  if (check === undefined) return ssl
  const approved = approvedFingerprints.get(check) ?? new Set()
  const remembering: Check = (host, certificate) => {
    const fault = check(host, certificate)
    if (fault === undefined) approved.add(certificate.fingerprint256)
    return fault
  }
  approvedFingerprints.set(check, approved)
  approvedFingerprints.set(remembering, approved)
  const copy = { ...ssl, checkServerIdentity: remembering }
  // The driver hides the key from being copied along.
  return ssl.key === undefined ? copy : { ...copy, key: ssl.key }
}
