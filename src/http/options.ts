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
   * Lets the application authenticate callers, instead of tokens and sessions; null is an unknown caller. Its
   * callers are trusted to come from where they say: protect cookies of your own against other sites.
   *
   * @example
   * ```ts
   * createHttp({ tusk, authenticate: (request) => ({ name: userOf(request), scopes: ['read'] }) })
   * ```
   */
  readonly authenticate?: AuthenticatorOptions['authenticate']
  /** Whether tasks may bring their own SQL, with the scope sql. Off by default. */
  readonly sql?: boolean | undefined
  /** Requests per token, and per address of callers without one. Unlimited by default. */
  readonly rateLimit?: RateLimit | undefined
  /** Attempts with an invalid, expired or revoked token, per address. By default 1 per second after 30 at once. */
  readonly failureLimit?: RateLimit | undefined
  /** The most bytes of a body; by default 1 MB. */
  readonly maxBodyBytes?: number | undefined
  /** Within how many milliseconds a body must have arrived; by default 30,000. */
  readonly bodyTimeoutMs?: Duration | undefined
  /**
   * After how many milliseconds a statement that only reads is cancelled; by default 5,000, 0
   * for never.
   */
  readonly readTimeoutMs?: Duration | undefined
  /** After how many milliseconds a statement that writes is cancelled; by default 30,000, 0 for never. */
  readonly writeTimeoutMs?: Duration | undefined
  /** How many connections are kept for reads; by default 4. */
  readonly readConnections?: number | undefined
  /** Believe X-Forwarded-For, -Proto and -Host: only where one proxy of yours sets them. */
  readonly trustProxy?: boolean | undefined
  /** The public address of this server, such as `https://tusk.example`; by default that of the request. */
  readonly origin?: string | undefined
  /** Whether the dashboard is served at `/`; by default it is. A text names the folder of its files. */
  readonly dashboard?: boolean | string | undefined
  /** Whether /metrics is open to callers without a token. Off by default. */
  readonly openMetrics?: boolean | undefined
  /** Where log lines go; false for nowhere, by default lines of JSON on standard output. */
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
