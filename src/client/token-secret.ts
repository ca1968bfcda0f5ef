import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const form = /^tusk_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}$/

/** Creates a secret: `tusk_`, eight letters to look it up by, and 256 random bits. */
export function newSecret(): { readonly token: string; readonly prefix: string } {
  const prefix = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return { token: `tusk_${prefix}_${randomBytes(32).toString('base64url')}`, prefix }
}

/** The part of a token to look it up by. Null if the text is not a token. */
export function prefixOf(token: string): string | null {
  return form.exec(token)?.[1] ?? null
}

/** A fast hash is enough: 256 random bits cannot be guessed. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Compares with the hash of the token's hash, in a time that does not depend on how much of it matches. */
export function isSecretOf(token: string, hashOfHash: Buffer): boolean {
  const hash = createHash('sha256').update(hashOf(token)).digest()
  return timingSafeEqual(hash, hashOfHash)
}
