const hidden = '***'
const longestName = 64
/** Names of settings and parameters whose values are never shown. */
const secretName = /pass|pwd|secret|_key$|token/i

/**
 * Text that may be shown: a password that got into it is taken out, what is around it stays readable.
 * Each step goes over the text once, for the text may be long and hostile.
 */
export function redact(text: string): string {
  if (!/:\/\/|pass|pwd|secret|bearer|authorization|cookie|tusk_|getaddrinfo/i.test(text))
    return text
  return redactTokens(redactSettings(redactParameters(redactUris(text))))
}

/** A connection URI on its own, which ends where the text ends whatever is in it. */
export function redactUri(uri: string): string {
  const start = uri.indexOf('://') + 3
  return redactParameters(uri.slice(0, start) + (withoutUserinfo(uri.slice(start)) ?? hidden))
}

/** The name of a host as people may see it: `user:password@host`, put there by mistake, has more than that. */
export function redactHost(host: string): string {
  return host.slice(host.lastIndexOf('@') + 1)
}

/** Whether the value of a connection's option is for nobody to see. */
export function isSecret(option: string): boolean {
  return secretName.test(option)
}

/** `scheme://user:password@host`, up to a blank or a quote that closes. */
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
      // No host follows: the password has a blank in it, or the host was forgotten.
      const at = nextAt(end)
      if (at < nextEnd(end)) from = at
      shown += `${text.slice(start, end).split(':', 1)[0]}:${hidden}`
    } else shown += whole
  }
  return shown + text.slice(from)
}

/** Finds the next of some characters from ascending places on, without looking at anything twice. */
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

/** What follows the scheme, without a password; undefined where a password has no host behind it. */
function withoutUserinfo(text: string): string | undefined {
  // Not the colon of another URI behind a comma.
  const colon = text.search(/(?<!\bpostgres(?:ql)?):|:(?!\/\/)/)
  const at = text.lastIndexOf('@')
  if (colon >= 0 && at > colon) return `${text.slice(0, colon)}:${hidden}${text.slice(at)}`
  return text.startsWith('[') || places.test(text) ? text : undefined
}

/** `?name=value&name=value`; a name with a percent sign in it may be any name. */
function redactParameters(text: string): string {
  const parameter = new RegExp(`([?&])([^=&\\s"]{1,${longestName}})=([^\\s&"]*)`, 'g')
  return text.replace(parameter, (whole, before: string, name: string) =>
    secretName.test(name) || name.includes('%') ? `${before}${name}=${hidden}` : whole,
  )
}

/**
 * `password = value`, `"password": "value"`, `password 'value'`; not again what was hidden before, and what
 * follows it in a URI. Without an equals sign only what is quoted: it may be a sentence about passwords.
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

/** Tokens of Tusk but for how they begin, headers with a token or a cookie, and hosts with a password in them. */
function redactTokens(text: string): string {
  return text
    .replace(/\b(tusk_[A-Za-z0-9]{8}_)[\w-]{20,}/g, `$1${hidden}`)
    .replace(/\b(bearer\s+)[\w.~+/=-]{12,}/gi, `$1${hidden}`)
    .replace(/\b(authorization["']?\s*[:=]\s*["']?)(?:\w+\s+)?[^\s"']+/gi, `$1${hidden}`)
    .replace(/\b((?:set-)?cookie["']?\s*:\s*["']?|tusk_session=)[^\s"';]+/gi, `$1${hidden}`)
    .replace(/\b(getaddrinfo \w+ )\S*@/g, '$1')
}
