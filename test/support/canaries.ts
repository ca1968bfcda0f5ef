import pino from 'pino'
import { expect } from 'vitest'

/** Stands for a password, a token or a card number: wherever it is found, a real one would be found too. */
export const canary = 'canary-7f3a9c51'

/** A connection string with the canary for a password. */
export const secretUrl = `postgres://app:${canary}@db.example.org:5432/app`

/** A logger as applications have one, with nothing redacted, and what it wrote at every level. */
export function listeningLogger() {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  return { lines, logger: pino({ level: 'trace' }, { write }) }
}

/** The text is printed around what was found. */
export function expectNoCanary(text: string): void {
  const at = text.indexOf(canary)
  expect(at < 0 ? '' : text.slice(Math.max(0, at - 300), at + 100)).toBe('')
}

/** An error as libraries throw them: the secret is in its words, its fields and its causes. */
export function leakyError(): Error {
  const cause = Object.assign(new Error(`connect failed: ${secretUrl}`), { input: secretUrl })
  return Object.assign(new Error(`cannot use ${secretUrl} with password=${canary}`, { cause }), {
    code: 'E_LEAK',
    config: { connectionString: secretUrl, headers: { Authorization: `Bearer ${canary}` } },
    client: { connectionParameters: { password: canary } },
    // What Postgres says of a row or a parameter that it refused.
    detail: `Failing row contains (1, {"card": "${canary}"}).`,
    where: `unnamed portal with parameters: $1 = '{"card": "${canary}"}'`,
  })
}
