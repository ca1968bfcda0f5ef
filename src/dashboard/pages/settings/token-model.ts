import type { createdToken, token } from '../../../http/schemas/access.ts'
import type { Read } from '../../model.ts'

/** A token as people may see it; its secret was shown once. */
export type Token = Read<typeof token>

/** Its secret is left out only where a request is sent again, which the dashboard does not do. */
export type CreatedToken = Read<typeof createdToken> & { readonly token: string }

/** What a scope allows, in words. */
export const scopes = [
  { name: 'read', text: 'Look at everything but tokens and the audit' },
  { name: 'enqueue', text: 'Submit tasks, handlers and documents' },
  { name: 'consume', text: 'Claim tasks and report how they ended' },
  { name: 'sql', text: 'Bring SQL of its own; together with enqueue' },
  { name: 'operate', text: 'All of read, enqueue and consume, and every action' },
  { name: 'admin', text: 'Everything, tokens and the audit too' },
] as const
