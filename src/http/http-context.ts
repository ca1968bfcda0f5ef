import type { Tusk } from '../client/tusk.ts'
import type { Listener } from '../db/listen.ts'
import type { Queryable } from '../db/queryable.ts'
import type { Verbs } from '../engine/verbs.ts'
import type { Logger } from '../lib/logger.ts'
import type { SignedClaims } from './gate/signed-claims.ts'

/** What this door needs of a client, whatever tasks that declares. */
export type HttpTusk = Pick<
  Tusk,
  'pool' | 'newClient' | 'schema' | 'tokens' | 'enqueueTask' | 'enqueueTasks' | 'waitForEnd'
>

/** What every route may use. */
export interface HttpContext {
  readonly tusk: HttpTusk
  /** The verbs themselves: on `reads` to look, on what audited() lends to change something. */
  readonly verbs: Verbs
  /** Connections for looking, whose statements are stopped when they take too long. */
  readonly reads: Queryable
  /** For executors, and everything else that is not a person's deed; stopped when it takes too long as well. */
  readonly writes: Queryable
  /** Claims as executors hold them. */
  readonly claims: SignedClaims
  /** Hears the engine's bells: `<schema>:ready` and others. */
  readonly listener: Listener
  readonly logger: Logger
  /** What browsers see before our paths; '' or '/tusk'. */
  readonly basePath: string
  /** After how long a statement that changes something is stopped; 0 for never. */
  readonly writeTimeoutMs: number
  /** Whether tasks may bring SQL of their own over HTTP. */
  readonly allowsSql: boolean
  /** Whether /metrics asks for no token. */
  readonly hasOpenMetrics: boolean
  /** Aborted when the door closes: what works in the background ends then. */
  readonly closing: AbortSignal
}
