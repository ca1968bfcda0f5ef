/** A token as people may see it; its secret was shown once. */
export interface Token {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly state: 'alive' | 'expired' | 'revoked'
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
}

export interface CreatedToken {
  readonly id: string
  readonly token: string
}

/** What a scope allows, in words. */
export const scopes = [
  { name: 'read', text: 'Look at everything but tokens and the audit' },
  { name: 'enqueue', text: 'Submit tasks, handlers and documents' },
  { name: 'consume', text: 'Claim tasks and report how they ended' },
  { name: 'sql', text: 'Bring SQL of its own; together with enqueue' },
  { name: 'operate', text: 'All of read, enqueue and consume, and every action' },
  { name: 'admin', text: 'Everything, tokens and the audit too' },
] as const
