import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'
import { PushError } from './push-error.ts'

/** Where a worker may deliver to. */
export interface PushPermits {
  /** Allowed ports of public hosts. */
  readonly ports: readonly number[]
  /** `host:port` of endpoints that need not be public or use https: for tests on one machine. */
  readonly allow: readonly string[]
}

/** Rejects a URL that this worker must not connect to, as far as its text shows. */
export function requirePermitted(url: URL, permits: PushPermits): void {
  if (isAllowed(url, permits)) return
  if (url.protocol !== 'https:') throw refusal(`${url.protocol}// is not https`)
  if (!permits.ports.includes(portOf(url))) {
    throw refusal(`port ${portOf(url)} is not among its ports (${permits.ports.join(', ')})`)
  }
  const host = bareHost(url)
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusal(`${host} is not a public address`)
}

/**
 * Resolves a host once, checks every address, and connects only to those, so that DNS cannot change between check and
 * connection. IP addresses in a URL are not looked up; requirePermitted() checks them.
 */
export function checkedLookup(url: URL, permits: PushPermits): LookupFunction {
  const mayBePrivate = isAllowed(url, permits)
  return (host, options, answer) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return answer(error, '')
      const other = found.find(({ address }) => !mayBePrivate && !isPublicAddress(address))
      if (other !== undefined) {
        return answer(refusal(`${host} has the address ${other.address}, which is not public`), '')
      }
      const [first] = found as [LookupAddress, ...LookupAddress[]]
      if (options.all) answer(null, found)
      else answer(null, first.address, first.family)
    })
  }
}

function isAllowed(url: URL, { allow }: PushPermits): boolean {
  return allow.includes(`${url.hostname}:${portOf(url)}`)
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** URLs have IPv6 addresses in brackets. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function refusal(why: string): PushError {
  return new PushError('push_not_allowed', `this worker does not deliver there: ${why}`)
}
