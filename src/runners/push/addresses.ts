import { BlockList, isIP, isIPv6 } from 'node:net'

/** IPv4 addresses outside the public internet: this machine, private networks, and addresses for special use. */
const denied4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])

/** Global unicast. Everything else is denied, including addresses that hold an IPv4 address (::ffff:…, 64:ff9b::…). */
const global6 = blockList('ipv6', [['2000::', 3]])

/**
 * Denied within global unicast: Teredo and other protocol assignments, documentation, and 6to4, which holds an IPv4
 * address.
 */
const denied6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  if (isIPv6(address)) return global6.check(address, 'ipv6') && !denied6.check(address, 'ipv6')
  return !denied4.check(address, 'ipv4')
}

function blockList(family: 'ipv4' | 'ipv6', nets: readonly (readonly [string, number])[]) {
  const list = new BlockList()
  for (const [net, bits] of nets) list.addSubnet(net, bits, family)
  return list
}
