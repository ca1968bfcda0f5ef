import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const form = /^tusk_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}$/

/** A new secret: `tusk_`, eight letters that find it, and 256 random bits. */
export function newSecret(): { readonly token: string; readonly prefix: string } {
  const prefix = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return { token: `tusk_${prefix}_${randomBytes(32).toString('base64url')}`, prefix }
}

/** The part that finds a token; null for what cannot be one. */
export function prefixOf(token: string): string | null {
  return form.exec(token)?.[1] ?? null
}

/** So many random bits cannot be guessed, so a slow hash would only be slow. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Compares with the hash of its hash, in a time that does not tell how much of it is right. */
export function isSecretOf(token: string, hashOfHash: Buffer): boolean {
  const hash = createHash('sha256').update(hashOf(token)).digest()
  return timingSafeEqual(hash, hashOfHash)
}
