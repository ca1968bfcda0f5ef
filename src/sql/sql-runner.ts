import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { RegisteredStatement } from '../engine/running-sql.ts'
import type { Json } from '../engine/task.ts'
import { connectionFault } from './fault.ts'
import { interrupt } from './interrupt.ts'
import type { SqlOrder } from './order.ts'
import type { Step } from './query.ts'
import {
  boundValues,
  PayloadFault,
  readPayload,
  type SqlPayload,
  settingsOf,
} from './read-payload.ts'
import { type Ran, runOrder } from './run-order.ts'
import type { Script, ScriptReader } from './script.ts'
import type { Session } from './session.ts'
import type { Sessions, SessionWish, Target } from './sessions.ts'
import { noSession } from './tell.ts'
import type { SqlTracing, TracedQuery } from './tracing.ts'
import { Unreached } from './unreached.ts'

/** A task in the hands of the worker, as far as the runner is concerned. */
export interface SqlJob {
  readonly id: string
  readonly claim: string
  readonly queue: string
  readonly attempt: number
  readonly meta: Json
  readonly payload: Json
  readonly startedAt: () => string | null
  /** How long it may still run; null: without end. */
  readonly msLeft: () => number | null
}

/** What the runner knows of the world outside its sessions. */
export interface SqlRunnerParts {
  readonly sessions: Sessions
  readonly scripts: Pick<ScriptReader, 'read'>
  /** The database in which the task is, for SQL that runs as a role. */
  readonly own: (role: string | undefined) => OwnTarget
  /** Where a task wants to run; throws a refusal that may be shown. */
  readonly targetOf: (connection: NonNullable<SqlPayload['connection']>) => Promise<Target>
  readonly statement: (name: string) => Promise<RegisteredStatement>
  /** Completes a task, in the transaction that its statements ran in. */
  readonly completing: (job: SqlJob, output: string) => Step
  /** Tells people which backend runs a task. */
  readonly onRunning: (job: SqlJob, session: Session, target: Target) => void
  /** Tells people how far a task has come, by its own words: JSON, or what it takes for JSON. */
  readonly onProgress: (job: SqlJob, progress: string) => void
  readonly onEnded: (job: SqlJob) => void
  readonly tracing: () => Promise<SqlTracing>
  readonly limits: { readonly maxRows: number; readonly maxBytes: number }
  /** Between asking a backend to stop and ending it, and between that and hanging up. */
  readonly graceMs: number
}

/** The engine's own database, and whether sessions there may complete tasks. */
export interface OwnTarget extends Target {
  readonly completes: boolean
}

/** A run that has begun. */
export interface Running {
  readonly ended: Promise<Ran>
  /** Stops it: it is cancelled, then its session is ended, then the connection is closed. */
  interrupt(): void
}

/** Runs SQL tasks, each on a session that nobody else has meanwhile. */
export class SqlRunner {
  readonly #parts: SqlRunnerParts

  constructor(parts: SqlRunnerParts) {
    this.#parts = parts
  }

  begin(job: SqlJob): Running {
    const hold: Hold = { session: undefined, isInterrupted: false, onInterrupt: undefined }
    return {
      ended: this.#traced(job, hold),
      interrupt: () => {
        hold.isInterrupted = true
        hold.onInterrupt?.()
        void this.#interrupt(hold)
      },
    }
  }

  close(): void {
    this.#parts.sessions.close()
  }

  async #traced(job: SqlJob, hold: Hold): Promise<Ran> {
    const tracing = await this.#parts.tracing()
    return tracing.task(job, (within) =>
      this.#run(job, hold, (about, work) => tracing.query(within, about, work)),
    )
  }

  async #run(job: SqlJob, hold: Hold, traced: TraceQuery): Promise<Ran> {
    const { sessions, scripts, own, targetOf, statement, onRunning, onProgress, onEnded } =
      this.#parts
    const payload = readPayload(job.payload)
    let registered: RegisteredStatement | undefined
    let wish: SessionWish
    let script: Script
    let session: Session
    let target: Target | OwnTarget
    try {
      if (payload.statement !== undefined) registered = await statement(payload.statement)
      wish = wishOf(payload, registered)
      const connection = registered?.connection ?? payload.connection
      target = connection === undefined ? own(wish.role || undefined) : await targetOf(connection)
      // Read before the task has a session: people who see its process may cancel that at once.
      script = await scripts.read(registered?.sql ?? payload.sql ?? '')
      session = await this.#take(target, wish, hold)
    } catch (error) {
      return unreached(error)
    }
    hold.session = session
    session.onProgress = (progress) => onProgress(job, progress)
    onRunning(job, session, target)
    try {
      const order = this.#order(job, payload, registered, target, script)
      if (hold.isInterrupted) return unreached(stopped())
      return await traced(
        () => queryOf(order, payload, session),
        () => runOrder(session, order),
      )
    } finally {
      // A cancel that is still on its way must not hit the next task.
      if (hold.isInterrupted) session.isSpent = true
      hold.session = undefined
      session.onProgress = undefined
      onEnded(job)
      sessions.give(session, target, wish)
    }
  }

  /** Whoever is told to stop does not wait for a server that may never answer. */
  async #take(target: Target, wish: SessionWish, hold: Hold): Promise<Session> {
    const { sessions } = this.#parts
    const taking = sessions.take(target, wish)
    const stopping = new Promise<undefined>((resolve) => {
      hold.onInterrupt = () => resolve(undefined)
    })
    const session = hold.isInterrupted ? undefined : await Promise.race([taking, stopping])
    hold.onInterrupt = undefined
    if (session !== undefined) return session
    taking.then(
      (late) => sessions.give(late, target, wish),
      () => {},
    )
    throw stopped()
  }

  #order(
    job: SqlJob,
    payload: SqlPayload,
    registered: RegisteredStatement | undefined,
    target: Target | OwnTarget,
    script: Script,
  ): SqlOrder {
    const { completing, limits } = this.#parts
    const completes = 'completes' in target && target.completes
    const text = registered?.sql ?? payload.sql ?? ''
    const params = registered === undefined ? [] : boundValues(payload.params, registered.params)
    const { maxRows, maxBytes } = limits
    return {
      text,
      script,
      params: params.length === 0 ? undefined : params,
      role: registered === undefined ? payload.role : (registered.role ?? undefined),
      settings: settingsOf(registered ?? payload, job.id),
      saves: payload.session?.save ?? false,
      limits: { maxRows: payload.max_rows ?? maxRows, maxBytes },
      msLeft: job.msLeft,
      completing: completes ? (output) => completing(job, output) : undefined,
    }
  }

  async #interrupt(hold: Hold): Promise<void> {
    const { session } = hold
    if (session === undefined) return
    const { graceMs } = this.#parts
    const isOver = () => hold.session !== session || session.isSpent
    for (const how of ['cancel', 'terminate'] as const) {
      if (isOver()) return
      await interrupt(session.config, session.pid, how)
      await overWithin(isOver, graceMs)
    }
    if (!isOver()) session.close()
  }
}

type TraceQuery = (about: () => TracedQuery, work: () => Promise<Ran>) => Promise<Ran>

interface Hold {
  session: Session | undefined
  isInterrupted: boolean
  /** While a session is being opened. */
  onInterrupt: (() => void) | undefined
}

function wishOf(
  { session = {}, role = '' }: SqlPayload,
  registered: RegisteredStatement | undefined,
): SessionWish {
  const { scope = '', live_ms: liveMs = 0, count = 0, save = false } = session
  return { scope, role: registered?.role ?? role, liveMs, count, saves: save }
}

/** The text of others may have anything in it; what an admin registered is no secret. */
function queryOf(order: SqlOrder, payload: SqlPayload, { client }: Session): TracedQuery {
  const kinds = order.script.statements.map(({ kind }) => kind)
  return {
    kinds: kinds.filter((kind) => kind !== ''),
    text: payload.statement === undefined ? undefined : order.text,
    statement: payload.statement,
    database: client.database,
    host: client.host,
    port: client.port,
  }
}

function stopped(): Unreached {
  return new Unreached('the task was stopped before it began', { fault: 'connection_failed' })
}

/** No session was to be had: nothing ran, and the next attempt may find one. */
function unreached(error: unknown): Ran {
  if (error instanceof PayloadFault) throw error
  const code = error instanceof Unreached ? error.fault : 'connection_failed'
  return { kind: 'failed', isTimeout: false, error: noSession(connectionFault(code, error)) }
}

/** Looks often at first, because a cancel takes effect within milliseconds. */
async function overWithin(isOver: () => boolean, withinMs: number): Promise<void> {
  const untilMs = performance.now() + withinMs
  for (
    let pauseMs = 1;
    !isOver() && performance.now() < untilMs;
    pauseMs = Math.min(pauseMs * 2, 50)
  ) {
    await pause(pauseMs)
  }
}
