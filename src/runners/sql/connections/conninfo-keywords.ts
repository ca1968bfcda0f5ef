import { isSecret } from '../../../lib/redact.ts'
import { ConninfoFault } from './conninfo-fault.ts'

/** Parses `host=a port='1' …`. Spaces around the sign are allowed, and a backslash escapes the next character. */
export function parseKeywords(text: string): Map<string, string> {
  const options = new Map<string, string>()
  let rest = text.trimStart()
  let last = ''
  // What follows a password may be the rest of it, if it has a space and no quotes. A name that cannot be an option may
  // be a URI without its scheme.
  const shown = (name: string) => (isSecret(last) || !/^\w{0,63}$/.test(name) ? '***' : name)
  while (rest !== '') {
    const name = /^[^=\s]*/.exec(rest)?.[0] ?? ''
    const sign = /^\s*=\s*/.exec(rest.slice(name.length))
    if (sign === null) {
      throw new ConninfoFault(`missing "=" after "${shown(name)}" in connection info string`)
    }
    last = name
    const { value, length } = readValue(rest.slice(name.length + sign[0].length))
    options.set(name, value)
    rest = rest.slice(name.length + sign[0].length + length).trimStart()
  }
  return options
}

/** Up to a space, or in quotes up to the closing quote. A backslash escapes the next character. */
const plain = /^(?:\\.|[^\\\s])*\\?/s
const quoted = /^'((?:\\.|[^\\'])*)'/s

function readValue(text: string): { readonly value: string; readonly length: number } {
  const isQuoted = text.startsWith("'")
  const found = (isQuoted ? quoted : plain).exec(text)
  if (found === null) {
    throw new ConninfoFault('unterminated quoted string in connection info string')
  }
  const written = isQuoted ? (found[1] ?? '') : found[0]
  return { value: written.replace(/\\(.?)/gs, '$1'), length: found[0].length }
}
