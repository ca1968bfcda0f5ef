/** How a worker delivers the tasks of its queues to their endpoints. Everything has a default. */
export interface PushOptions {
  /** Ports of public hosts that it connects to; by default only 443. */
  readonly ports?: readonly number[]
  /**
   * Endpoints, as `host:port`, that need not be public nor speak https: for tests, or for a receiver on the
   * same machine. Without it every address that is not public is refused.
   *
   * @example
   * ```ts
   * startWorker({ database, push: { allow: ['127.0.0.1:8787'] } })
   * ```
   */
  readonly allow?: readonly string[]
  /** What `{"callback": "name"}` in the secrets of an endpoint means. */
  readonly secrets?: Readonly<Record<string, (queue: string) => string | Promise<string>>>
  /** Environment variables that endpoints may name; by default those that begin with `TUSK_SECRET_`. */
  readonly secretVariables?: readonly string[]
  /** Folders in which endpoints may name files; by default `/run/secrets`. */
  readonly secretFolders?: readonly string[]
  /** The most bytes of an answer; by default 900,000. */
  readonly maxBytes?: number
}
