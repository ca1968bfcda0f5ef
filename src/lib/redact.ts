const hidden = '***'
const longestName = 64
/** Names of settings and parameters whose values are never shown. */
const secretName = /pass|pwd|secret|_key$|token/i

/**
 * Removes passwords from a text and keeps the rest readable. Each step is linear, because the text may be long and
 * hostile.
 */
export function redact(text: string): string {
  if (!/:\/\/|pass|pwd|secret|bearer|authorization|cookie|tusk_|getaddrinfo/i.test(text))
    return text
  return redactTokens(redactSettings(redactParameters(redactUris(text))))
}

/** Redacts a text that is one connection URI, which may contain spaces and quotes. */
export function redactUri(uri: string): string {
  const start = uri.indexOf('://') + 3
  return redactParameters(uri.slice(0, start) + (withoutUserinfo(uri.slice(start)) ?? hidden))
}

/** The name of a host for display. `user:password@host`, put there by mistake, holds a password. */
export function redactHost(host: string): string {
  return host.slice(host.lastIndexOf('@') + 1)
}

/** Whether the value of a connection option must not be shown. */
export function isSecret(option: string): boolean {
  return secretName.test(option)
}

/** Redacts `scheme://user:password@host`, up to a space or a closing quote. */
function redactUris(text: string): string {
  let shown = ''
  let from = 0
  const run = /(?:[^\s"]|"(?![\s,.;:)]|$))*/y
  const nextAt = lookAhead(text, '@')
  const nextEnd = lookAhead(text, '"', '\n')
  for (let sign = text.indexOf('://'); sign >= 0; sign = text.indexOf('://', from)) {
    const start = sign + 3
    run.lastIndex = start
    const end = start + (run.exec(text)?.[0].length ?? 0)
    const whole = withoutUserinfo(text.slice(start, end))
    shown += text.slice(from, start)
    from = end
    if (whole === undefined) {
      // No host follows: the password contains a space, or the host was forgotten.
      const at = nextAt(end)
      if (at < nextEnd(end)) from = at
      shown += `${text.slice(start, end).split(':', 1)[0]}:${hidden}`
    } else shown += whole
  }
  return shown + text.slice(from)
}

/** Returns a function that finds the next of some characters, for ascending start positions, in linear time overall. */
function lookAhead(text: string, ...characters: string[]): (from: number) => number {
  const found = characters.map(() => -1)
  return (from) =>
    Math.min(
      ...characters.map((character, i) => {
        if ((found[i] ?? -1) < from) {
          const at = text.indexOf(character, from)
          found[i] = at < 0 ? text.length : at
        }
        return found[i] ?? text.length
      }),
    )
}

const places =
  /^(?:\[[^\]]*\]|[^:/?,[\]]*)(?::\d*)?(?:,(?:\[[^\]]*\]|[^:/?,[\]]*)(?::\d*)?)*(?:[/?].*)?$/s

/** The text after the scheme, without the password. Undefined if no host follows the password. */
function withoutUserinfo(text: string): string | undefined {
  // Not the colon of another URI after a comma.
  const colon = text.search(/(?<!\bpostgres(?:ql)?):|:(?!\/\/)/)
  const at = text.lastIndexOf('@')
  if (colon >= 0 && at > colon) return `${text.slice(0, colon)}:${hidden}${text.slice(at)}`
  return text.startsWith('[') || places.test(text) ? text : undefined
}

/** Redacts `?name=value&name=value`. A name with a percent sign may be any name. */
function redactParameters(text: string): string {
  const parameter = new RegExp(`([?&])([^=&\\s"]{1,${longestName}})=([^\\s&"]*)`, 'g')
  return text.replace(parameter, (whole, before: string, name: string) =>
    secretName.test(name) || name.includes('%') ? `${before}${name}=${hidden}` : whole,
  )
}

/**
 * Redacts `password = value`, `"password": "value"`, `password 'value'`, but not what was redacted before and what
 * follows it in a URI. Without an equals sign only quoted values are redacted: the text may be a sentence about
 * passwords.
 */
function redactSettings(text: string): string {
  return text.replace(setting, (_, name: string, equals = '', colon = '') => {
    return `${name}${equals}${colon}${hidden}`
  })
}

const quoted = String.raw`'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?`
const setting = new RegExp(
  String.raw`\b(\w{0,40}(?:passw(?:or)?d|pwd|secret)\w{0,20})(?:(["']?\s*=>?\s*)(?:${quoted}|(?!\*\*\*)(?:\\.|[^\s"\\])+)|(["']?\s*:\s*|\s+)(?:${quoted}))`,
  'gis',
)

/** Redacts Tusk tokens except for their prefix, headers with a token or a cookie, and hosts with a password. */
function redactTokens(text: string): string {
  return text
    .replace(/\b(tusk_[A-Za-z0-9]{8}_)[\w-]{20,}/g, `$1${hidden}`)
    .replace(/\b(bearer\s+)[\w.~+/=-]{12,}/gi, `$1${hidden}`)
    .replace(/\b(authorization["']?\s*[:=]\s*["']?)(?:\w+\s+)?[^\s"']+/gi, `$1${hidden}`)
    .replace(/\b((?:set-)?cookie["']?\s*:\s*["']?|tusk_session=)[^\s"';]+/gi, `$1${hidden}`)
    .replace(/\b(getaddrinfo \w+ )\S*@/g, '$1')
}
