import { randomBytes } from 'node:crypto'
import { hashOf, prefixOf } from '../../client/token-secret.ts'
import { TuskError } from '../../lib/errors.ts'
import type { HttpContext } from '../http-context.ts'
import type { Holder } from './known-holders.ts'
import { ownHolder } from './own-holder.ts'

/** Sessions of browsers. The database keeps them, so that all servers of a schema know them. */
export interface Sessions {
  /** Opens one for a token that was found; null when the token is expired or revoked. */
  open(token: string): Promise<{ readonly secret: string; readonly until: Date } | null>
  find(secret: string): Promise<Holder | null>
  close(secret: string): Promise<void>
}

/** @param own the token that this server was started with. */
export function openSessions(
  { verbs, writes }: Pick<HttpContext, 'verbs' | 'writes'>,
  own: string | undefined,
): Sessions {
  const door = own === undefined ? null : hashOf(own)
  return {
    open: async (token) => {
      const secret = randomBytes(32).toString('base64url')
      const prefix = token === own ? null : prefixOf(token)
      const session = { hash: hashOf(secret), prefix, tokenHash: hashOf(token) }
      try {
        return { secret, until: await verbs.openSession(writes, session) }
      } catch (error) {
        if (error instanceof TuskError && error.code === 'token_not_found') return null
        throw error
      }
    },
    find: async (secret) => {
      const found = await verbs.findSession(writes, hashOf(secret), door)
      if (found === null) return null
      const { id, name, scopes, expires_at: expiresAt } = found
      return id === null || name === null || scopes === null
        ? { ...ownHolder, expiresAt }
        : { id, name, scopes, expiresAt }
    },
    close: async (secret) => {
      await verbs.closeSession(writes, hashOf(secret))
    },
  }
}
