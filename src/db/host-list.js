// @ts-check

/**
 * @typedef {{ readonly host: string | undefined, readonly address: string | undefined, readonly port: string | undefined }} NamedServer
 */

/**
 * Pairs lists of hosts, addresses and ports like libpq: a single port applies to all hosts.
 * @param {string | undefined} host
 * @param {string | undefined} address
 * @param {string | undefined} port
 * @returns {{ readonly servers: readonly NamedServer[], readonly fault?: string }}
 */
export function matchHosts(host, address, port) {
  const hosts = listOf(host)
  const addresses = listOf(address)
  const ports = listOf(port)
  if (hosts.length > 0 && addresses.length > 0 && hosts.length !== addresses.length) {
    const fault = `could not match ${hosts.length} host names to ${addresses.length} hostaddr values`
    return { servers: [], fault }
  }
  const count = Math.max(hosts.length, addresses.length, 1)
  if (ports.length > 1 && ports.length !== count) {
    return { servers: [], fault: `could not match ${ports.length} port numbers to ${count} hosts` }
  }
  const servers = Array.from({ length: count }, (_, at) => ({
    host: hosts[at] || undefined,
    address: addresses[at],
    port: ports[at] ?? ports[0],
  }))
  return { servers }
}

/** @param {string | undefined} text */
function listOf(text) {
  return text === undefined || text === '' ? [] : text.split(',')
}
