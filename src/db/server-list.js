// @ts-check
import { matchHosts } from './host-list.js'
import { isSessionAttributes, sessionAttributes } from './session-attributes.js'

/**
 * @typedef {import('./session-attributes.js').SessionAttributes} SessionAttributes
 *
 * @typedef {object} ServerList
 * @property {readonly string[]} urls One connection string per server, as the driver reads it.
 * @property {SessionAttributes} wants
 * @property {boolean} isShuffled `load_balance_hosts=random`
 * @property {number | undefined} connectMs How long connecting to one server may take, if the string says so.
 * @property {string} [fault] Why the string cannot be read as a list of servers; nothing of it is repeated.
 */

/** Parameters that are about the list, or that have one value per server. */
const ours = new Set([
  'host',
  'port',
  'target_session_attrs',
  'load_balance_hosts',
  'connect_timeout',
])

/**
 * The servers that a connection URL names: `postgres://a:5432,b:5433/db?target_session_attrs=read-write`.
 *
 * By default libpq accepts any server. Here a list of several servers means the one that accepts writes, because Tusk
 * can do nothing on a standby.
 * @param {string} url
 * @returns {ServerList}
 */
export function serverList(url) {
  const found = /^(postgres(?:ql)?:)\/\/([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url)
  const [, scheme = '', login = '', places = '', path = '', query = ''] = found ?? []
  const given = new URLSearchParams(query)
  const isListed = places.includes(',') || (given.get('host') ?? '').includes(',')
  const wants = given.get('target_session_attrs') || (isListed ? 'read-write' : 'any')
  const seconds = Number(given.get('connect_timeout') ?? '0')
  /** @type {ServerList} */
  const list = {
    urls: [url],
    wants: isSessionAttributes(wants) ? wants : 'any',
    isShuffled: given.get('load_balance_hosts') === 'random',
    connectMs: seconds > 0 ? seconds * 1_000 : undefined,
  }
  const fault = attributesFault(wants, given)
  if (fault !== undefined) return { ...list, fault }
  // Unchanged: the driver ignores parameters that it does not know.
  if (!isListed) return list

  const named = namedServers(places, given)
  if (named.fault !== undefined) return { ...list, fault: named.fault }
  const rest = query.split('&').filter((pair) => pair !== '' && !ours.has(nameOf(pair)))
  const urls = named.servers.map(({ host = '', port = '' }) => {
    const isSocket = host.startsWith('/')
    const pairs = isSocket ? [`host=${encodeURIComponent(host)}`, `port=${port}`, ...rest] : rest
    const place = isSocket ? '' : `${bracketed(host)}:${port}`
    return `${scheme}//${login}${place}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
  })
  return { ...list, urls }
}

/**
 * @param {string} places
 * @param {URLSearchParams} given
 * @returns {{ readonly servers: readonly { host: string | undefined, port: string }[], readonly fault: string | undefined }}
 */
function namedServers(places, given) {
  const hosts = given.get('host') || listed(places, hostOf)
  const ports = given.get('port') || listed(places, portOf)
  const { servers, fault } = matchHosts(hosts, undefined, ports)
  const isNameless = servers.some(({ host }) => host === undefined)
  return {
    servers: servers.map(({ host, port }) => ({ host, port: port || '5432' })),
    fault: isNameless ? 'one of its hosts has no name' : fault,
  }
}

/**
 * @param {string} wants
 * @param {URLSearchParams} given
 */
function attributesFault(wants, given) {
  if (!isSessionAttributes(wants)) {
    return `its target_session_attrs is none of ${sessionAttributes.join(', ')}`
  }
  if (!['disable', 'random', null, ''].includes(given.get('load_balance_hosts'))) {
    return 'its load_balance_hosts is neither disable nor random'
  }
  const timeout = given.get('connect_timeout')
  return timeout === null || /^\s*-?\d*\s*$/.test(timeout)
    ? undefined
    : 'its connect_timeout is not a number of seconds'
}

/**
 * @param {string} places
 * @param {(place: string) => string} part
 */
function listed(places, part) {
  const parts = places.split(',').map(part)
  return parts.every((one) => one === '') ? undefined : parts.join(',')
}

/** @param {string} place */
function hostOf(place) {
  const host = /^(\[[^\]]*\]|[^:]*)/.exec(place)?.[0] ?? ''
  // A directory of sockets. The driver needs it outside the authority.
  return /^%2f/i.test(host) ? decodeURIComponent(host) : host
}

/** @param {string} place */
function portOf(place) {
  return /^(?:\[[^\]]*\]|[^:]*):?(.*)$/s.exec(place)?.[1] ?? ''
}

/** @param {string} host */
function bracketed(host) {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** @param {string} pair */
function nameOf(pair) {
  return pair.split('=', 1)[0] ?? ''
}
