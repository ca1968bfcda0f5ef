import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../../db/queryable.ts'
import type { Verbs } from '../../engine/verbs.ts'
import { Problem } from '../answers/problem.ts'

/**
 * Claims as they go over HTTP: `42.` and a signature. The ids themselves grow one by one; with those
 * alone an executor could speak about what another one of the same queue holds.
 */
export class SignedClaims {
  readonly #ask: () => Promise<Buffer>
  #secret: Promise<Buffer> | undefined

  constructor(verbs: Verbs, db: Queryable) {
    this.#ask = () => verbs.claimSecret(db)
  }

  async sign(claim: string): Promise<string> {
    return `${claim}.${(await this.#signature(claim)).toString('base64url')}`
  }

  /** The claim that was signed; rejects one that was not given out here. */
  async read(signed: string): Promise<string> {
    const [claim = '', signature = ''] = signed.split('.')
    const given = Buffer.from(signature, 'base64url')
    const right = await this.#signature(claim)
    if (given.length === right.length && timingSafeEqual(given, right)) return claim
    throw new Problem(409, 'lease_lost', `${signed} is not a claim of this installation`, {
      hint: 'Send the claim unchanged, as it came with the tasks.',
    })
  }

  async #signature(claim: string): Promise<Buffer> {
    this.#secret ??= this.#ask()
    try {
      return createHmac('sha256', await this.#secret)
        .update(`claim ${claim}`)
        .digest()
        .subarray(0, 16)
    } catch (error) {
      // Not kept: the next one asks again.
      this.#secret = undefined
      throw error
    }
  }
}
