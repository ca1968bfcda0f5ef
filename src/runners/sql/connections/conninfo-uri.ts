import { isSecret, redactUri } from '../../../lib/redact.ts'
import { ConninfoFault } from './conninfo-fault.ts'

/** Parses `postgresql://user:password@host:port,host:port/dbname?name=value&…`. Every part is optional. */
export function parseUri(uri: string, known: ReadonlySet<string>): Map<string, string> {
  const options = new Map<string, string>()
  const set = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== '') options.set(name, decodeValue(name, value))
  }
  const [, body = '', query] = /^postgres(?:ql)?:\/\/([^?]*)(?:\?(.*))?$/s.exec(uri) ?? []
  const slash = body.indexOf('/')
  const authority = slash < 0 ? body : body.slice(0, slash)
  const at = authority.lastIndexOf('@')
  requireWhole(uri, authority)
  if (at >= 0) {
    const [user, ...password] = authority.slice(0, at).split(':')
    set('user', user)
    set('password', password.length === 0 ? undefined : password.join(':'))
  }
  const hosts = authority
    .slice(at + 1)
    .split(',')
    .map((place) => readPlace(place, uri))
  // In `postgres://user:password`, which lacks its host, the password is where the port should be.
  if (hosts.some(({ port }) => !/^\d*$/.test(port))) throw invalidPort(uri)
  set('host', listed(hosts.map(({ host }) => host)))
  set('port', listed(hosts.map(({ port }) => port)))
  set('dbname', slash < 0 ? undefined : body.slice(slash + 1))
  for (const pair of query === undefined || query === '' ? [] : query.split('&')) {
    const [name, value] = readPair(pair, known)
    options.set(name, value)
  }
  return options
}

function listed(values: readonly string[]): string | undefined {
  return values.every((value) => value === '') ? undefined : values.join(',')
}

function readPlace(place: string, uri: string): { readonly host: string; readonly port: string } {
  if (!place.startsWith('[')) {
    const [host = '', port = '', ...more] = place.split(':')
    if (more.length === 0) return { host, port }
    const position = uri.indexOf(place) + host.length + port.length + 2
    throw unexpected(':', position, uri)
  }
  const end = place.indexOf(']')
  if (end < 0) {
    const what = 'end of string reached when looking for matching "]" in IPv6 host address in URI'
    throw new ConninfoFault(`${what}: "${redactUri(uri)}"`)
  }
  if (end === 1) {
    throw new ConninfoFault(`IPv6 host address may not be empty in URI: "${redactUri(uri)}"`)
  }
  const after = place.slice(end + 1)
  if (after !== '' && !after.startsWith(':')) {
    throw unexpected(after[0] ?? '', uri.indexOf(place) + end + 2, uri)
  }
  return { host: place.slice(1, end), port: after.slice(1) }
}

function unexpected(character: string, position: number, uri: string): ConninfoFault {
  return new ConninfoFault(
    `unexpected character "${character}" in position ${position} in URI (expected ":" or "/"): "${redactUri(uri)}"`,
  )
}

function readPair(pair: string, known: ReadonlySet<string>): [string, string] {
  const [name = '', value, ...more] = pair.split('=')
  // No option has such a name: it is part of a password with a question mark in it.
  const shown = pair.includes('@') && !known.has(name) ? '***' : name
  if (value === undefined) {
    throw new ConninfoFault(`missing key/value separator "=" in URI query parameter: "${shown}"`)
  }
  if (more.length > 0) {
    throw new ConninfoFault(`extra key/value separator "=" in URI query parameter: "${shown}"`)
  }
  // The JDBC spelling.
  if (name === 'ssl' && value === 'true') return ['sslmode', 'require']
  const key = decode(name, shown)
  if (!known.has(key)) {
    throw new ConninfoFault(`invalid URI query parameter: "${shown === name ? key : shown}"`)
  }
  return [key, decodeValue(key, value)]
}

/**
 * An unescaped slash or question mark in a password ends it too early. What looks like a port is then part of the
 * password.
 */
function requireWhole(uri: string, authority: string): void {
  const isTorn = !authority.includes('@') && uri.slice(uri.indexOf(authority)).includes('@')
  if (isTorn && /:(?!\d*$)[^\]]*$/.test(authority)) {
    throw invalidPort(uri)
  }
}

function invalidPort(uri: string): ConninfoFault {
  return new ConninfoFault(
    `invalid integer value "***" for connection option "port" in URI: "${redactUri(uri)}"`,
  )
}

function decodeValue(name: string, value: string): string {
  return decode(value, isSecret(name) ? '***' : value)
}

function decode(text: string, shown = text): string {
  if (/%00/.test(text)) {
    throw new ConninfoFault(`forbidden value %00 in percent-encoded value: "${shown}"`)
  }
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) {
    throw new ConninfoFault(`invalid percent-encoded token: "${shown}"`)
  }
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new ConninfoFault(`invalid percent-encoded token: "${shown}"`, { cause })
  }
}
