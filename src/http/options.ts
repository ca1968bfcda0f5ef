import type { Duration } from '../lib/duration.ts'
import type { Logger } from '../lib/logger.ts'
import type { KnownOptions } from '../lib/require-known.ts'
import type { AuthenticatorOptions } from './gate/authenticate.ts'
import type { RateLimit } from './gate/rate-limit.ts'
import type { HttpTusk } from './http-context.ts'

/** How the HTTP door is opened. */
export interface HttpOptions {
  /** The client that it stands on; close it after the door. */
  readonly tusk: HttpTusk
  /**
   * What comes before our paths as browsers see them, such as `/tusk`; whether the framework or proxy in
   * front strips it or not.
   */
  readonly basePath?: string | undefined
  /** A token besides those in the database: it has the scope admin and holds while this door is open. */
  readonly token?: string | undefined
  /**
   * Lets the application say who somebody is, instead of tokens and sessions; null is nobody. Its
   * callers are trusted to come from where they say: protect cookies of your own against other sites.
   *
   * @example
   * ```ts
   * createHttp({ tusk, authenticate: (request) => ({ name: userOf(request), scopes: ['read'] }) })
   * ```
   */
  readonly authenticate?: AuthenticatorOptions['authenticate']
  /** Whether tasks may bring SQL of their own, with the scope sql; not unless told so. */
  readonly sql?: boolean | undefined
  /** Requests per token, and per address of those without one; as many as they like unless told otherwise. */
  readonly rateLimit?: RateLimit | undefined
  /** Tokens that do not hold, per address; 1 per second after 30 at once, unless told otherwise. */
  readonly failureLimit?: RateLimit | undefined
  /** The most bytes of a body; 1 MB unless told otherwise. */
  readonly maxBodyBytes?: number | undefined
  /** In how long a body must have arrived; 30,000 ms unless told otherwise. */
  readonly bodyTimeoutMs?: Duration | undefined
  /**
   * After how long a statement that only looks is stopped; 5,000 ms unless told otherwise, 0
   * for never.
   */
  readonly readTimeoutMs?: Duration | undefined
  /** After how long a statement that changes something is stopped; 30,000 ms unless told otherwise, 0 for never. */
  readonly writeTimeoutMs?: Duration | undefined
  /** How many connections are kept for looking; 4 unless told otherwise. */
  readonly readConnections?: number | undefined
  /** Believe X-Forwarded-For, -Proto and -Host: only where one proxy of yours sets them. */
  readonly trustProxy?: boolean | undefined
  /** Where this server is seen, such as `https://tusk.example`; as the request says unless told otherwise. */
  readonly origin?: string | undefined
  /** Whether the dashboard is served at `/`; it is unless told otherwise. A text names the folder of its files. */
  readonly dashboard?: boolean | string | undefined
  /** Whether /metrics is open to those without a token; not unless told so. */
  readonly openMetrics?: boolean | undefined
  /** Where lines go; false for nowhere, lines of JSON on standard output unless told otherwise. */
  readonly logger?: Logger | false | undefined
}

export const httpOptions: KnownOptions<HttpOptions> = {
  tusk: true,
  basePath: true,
  token: true,
  authenticate: true,
  sql: true,
  rateLimit: true,
  failureLimit: true,
  maxBodyBytes: true,
  bodyTimeoutMs: true,
  readTimeoutMs: true,
  writeTimeoutMs: true,
  readConnections: true,
  trustProxy: true,
  origin: true,
  dashboard: true,
  openMetrics: true,
  logger: true,
}
