import { Problem } from '../answers/problem.ts'

/** How many requests a token or an address may send. */
export interface RateLimit {
  /** So many in a second, in the long run. */
  readonly perSecond: number
  /** So many at once after a pause. */
  readonly burst: number
}

interface Bucket {
  level: number
  at: number
}

const mostBuckets = 10_000

/** A bucket of tokens per caller: each request takes one, and time puts them back. */
export class RateLimiter {
  readonly #limit: RateLimit
  readonly #name: string
  readonly #buckets = new Map<string, Bucket>()

  constructor(name: string, limit: RateLimit) {
    this.#name = name
    this.#limit = limit
  }

  /** Takes one; answers with the headers that tell how much is left, or refuses. */
  take(key: string): Record<string, string> {
    const bucket = this.#bucket(key)
    const headers = this.#headers(bucket.level - 1)
    if (bucket.level < 1) throw this.#refusal(bucket, headers)
    bucket.level -= 1
    return headers
  }

  /** Takes nothing, and refuses when there is nothing left to take. */
  require(key: string): void {
    const bucket = this.#bucket(key)
    if (bucket.level < 1) throw this.#refusal(bucket, this.#headers(bucket.level))
  }

  #bucket(key: string): Bucket {
    const now = performance.now()
    const { perSecond, burst } = this.#limit
    const bucket = this.#buckets.get(key) ?? { level: burst, at: now }
    bucket.level = Math.min(burst, bucket.level + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    // Put in anew: so those that were not used for longest come first.
    this.#buckets.delete(key)
    if (this.#buckets.size >= mostBuckets) this.#forgetSome()
    this.#buckets.set(key, bucket)
    return bucket
  }

  #forgetSome(): void {
    let left = mostBuckets / 10
    for (const key of this.#buckets.keys()) {
      if (left-- <= 0) return
      this.#buckets.delete(key)
    }
  }

  #headers(left: number): Record<string, string> {
    const { perSecond, burst } = this.#limit
    const window = Math.max(1, Math.ceil(burst / perSecond))
    const remaining = Math.max(0, Math.floor(left))
    const full = Math.ceil((burst - remaining) / perSecond)
    return {
      'ratelimit-policy': `"${this.#name}";q=${burst};w=${window}`,
      ratelimit: `"${this.#name}";r=${remaining};t=${full}`,
    }
  }

  #refusal(bucket: Bucket, headers: Record<string, string>): Problem {
    const seconds = Math.max(1, Math.ceil((1 - bucket.level) / this.#limit.perSecond))
    return new Problem(
      429,
      'rate_limited',
      `too many requests; the next may come in ${seconds} s`,
      {
        headers: { ...headers, 'retry-after': String(seconds) },
      },
    )
  }
}
