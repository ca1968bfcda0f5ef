import type { Holder } from './known-holders.ts'

/** Who holds the token that a server was started with. */
export const ownHolder: Holder = { id: null, name: 'start', scopes: ['admin'], expiresAt: null }
