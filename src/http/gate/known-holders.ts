import { createHash } from 'node:crypto'

/** Whose token or session it is; the id is null for the token that the server was started with. */
export interface Holder {
  readonly id: string | null
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
}

/** How long an answer of the database is used again: so long may a revoked secret still be used. */
const trustMs = 5_000
const mostHolders = 10_000
const mostRejected = 1_000

interface Known {
  readonly holder: Holder
  readonly until: number
}

/** What the database said about secrets lately. Keeps their hashes, not the secrets. */
export class KnownHolders {
  readonly #found = new Map<string, Known>()
  readonly #rejected = new Map<string, number>()

  /**
   * Whose secret it is: as the database said a moment ago, or as `look` says.
   *
   * @param isAllowed asked before `look`, unless the secret was right before; throws to save the query.
   */
  async find(
    secret: string,
    look: () => Promise<Holder | null>,
    isAllowed: () => void,
  ): Promise<Holder | null> {
    const key = keyOf(secret)
    const now = performance.now()
    const known = this.#found.get(key)
    if (known !== undefined && now < known.until) return known.holder
    if (now < (this.#rejected.get(key) ?? 0)) return null
    if (known === undefined) isAllowed()
    const holder = await look()
    this.#remember(key, holder, now + trustMs)
    return holder
  }

  forget(secret: string): void {
    this.#found.delete(keyOf(secret))
  }

  #remember(key: string, holder: Holder | null, until: number): void {
    this.#found.delete(key)
    this.#rejected.delete(key)
    if (holder === null) {
      if (this.#rejected.size >= mostRejected) this.#rejected.clear()
      this.#rejected.set(key, until)
      return
    }
    if (this.#found.size >= mostHolders) this.#found.clear()
    this.#found.set(key, { holder, until })
  }
}

function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
