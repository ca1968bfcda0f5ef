import { serverList } from './server-list.js'

/** What a connection string looks like, for messages. */
export const urlShape = 'a URL such as postgres://user:password@host:5432/database'

const sslModes = [
  'disable',
  'allow',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
  'no-verify',
] as const

/**
 * Why a connection string is invalid. Undefined if it is valid. The message never quotes the string, which may hold a
 * password. Without this check the driver would connect to a made-up host `base`.
 */
export function urlFault(text: string): string | undefined {
  // The driver's own forms for Unix sockets: `/run/postgresql mail`, `socket:/run/postgresql?db=mail`.
  if (/^(\/|socket:)/.test(text)) return undefined
  if (!/^postgres(ql)?:\/\//i.test(text)) return 'it does not begin with postgres://'
  const { urls, fault } = serverList(text)
  if (fault !== undefined) return fault
  for (const url of urls) {
    const found = serverFault(url)
    if (found !== undefined) return found
  }
  return undefined
}

/** The same for a string that names one server. */
function serverFault(text: string): string | undefined {
  const place = /^[^/]*\/\/([^/?#]*)/.exec(text)?.[1]?.replace(/^.*@/s, '') ?? ''
  const { host, port = '', sslmode } = parametersOf(text)
  if (!isPort(port) || !isPort(portOf(place))) {
    return 'its port is not a number from 1 to 65535 (in a password, / is %2F, ? is %3F and # is %23)'
  }
  // postgres:///mail means this machine. After a user or before a port, a missing host is a mistake.
  const hasHost = host || process.env['PGHOST'] || /^[^:]/.test(place) || /^[^/]*\/\/\/./.test(text)
  if (!hasHost) return 'it names no host'
  if (!URL.canParse(place === '' ? text.replace('@/', '@host/') : text)) return 'it cannot be read'
  const isKnown = sslmode === undefined || (sslModes as readonly string[]).includes(sslmode)
  return isKnown ? undefined : `its sslmode is none of ${sslModes.join(', ')}`
}

function parametersOf(text: string): Readonly<Record<string, string | undefined>> {
  const query = /\?([^#]*)/.exec(text)?.[1] ?? ''
  return Object.fromEntries(new URLSearchParams(query))
}

/** The port, also after an IPv6 address in brackets. Empty if none is named. */
function portOf(place: string): string {
  return /^(?:\[[^\]]*\]|[^:]*):?(.*)$/s.exec(place)?.[1] ?? ''
}

function isPort(port: string): boolean {
  return port === '' || (/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
}
