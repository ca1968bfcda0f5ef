import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenedProcedure, RegisteredStatement } from '../../engine/running-sql.ts'
import type { Json } from '../../engine/task.ts'
import { buildSessionError } from './build-output.ts'
import { ConnectionError } from './connections/connection-error.ts'
import { executeProcedure } from './execute-procedure.ts'
import { type ExecutionResult, executeRequest } from './execute-request.ts'
import { connectionFault } from './fault.ts'
import type { Script, ScriptReader } from './parser/script.ts'
import {
  boundValues,
  PayloadFault,
  readPayload,
  type SqlPayload,
  settingsOf,
} from './read-payload.ts'
import { interrupt } from './session/interrupt.ts'
import type { Step } from './session/query.ts'
import type { ResultLimits } from './session/result-collector.ts'
import type { Session } from './session/session.ts'
import type { Sessions, SessionWish, Target } from './session/sessions.ts'
import type { SqlRequest } from './sql-request.ts'
import type { SqlTracing, TracedQuery } from './tracing.ts'

/**
 * The most that the engine stores of a whole output: the limit of a jsonb in Postgres, less room for its internal
 * format.
 */
const mostBytes = 200_000_000

/** A claimed SQL task, with what the runner needs. */
export interface SqlJob {
  readonly id: string
  readonly claim: string
  readonly queue: string
  readonly attempt: number
  readonly meta: Json
  readonly payload: Json
  readonly startedAt: () => string | null
  /** How long it may still run. Null: no limit. */
  readonly msLeft: () => number | null
}

/** What the runner needs from outside its sessions. */
export interface SqlRunnerParts {
  readonly sessions: Sessions
  readonly scripts: Pick<ScriptReader, 'read'>
  /** The engine's own database, for SQL that runs as a role. */
  readonly own: (role: string | undefined) => OwnTarget
  /** The database that a task names. Throws an error that may be shown. */
  readonly targetOf: (connection: NonNullable<SqlPayload['connection']>) => Promise<Target>
  readonly statement: (name: string) => Promise<RegisteredStatement>
  /** What to run for a durable procedure of a task. */
  readonly procedure: (job: SqlJob, payload: SqlPayload) => Promise<OpenedProcedure>
  /** Completes a task in the transaction that its statements ran in. */
  readonly completing: (job: SqlJob, output: string) => Step
  /** Registers which backend runs a task. A task that is announced waits for it. */
  readonly onRunning: (
    job: SqlJob,
    session: Session,
    target: Target,
    isAnnounced: boolean,
  ) => Promise<void> | undefined
  /** Passes on a task's progress: JSON, or what the task takes for JSON. */
  readonly onProgress: (job: SqlJob, progress: string) => void
  readonly onEnded: (job: SqlJob) => void
  readonly tracing: () => Promise<SqlTracing>
  readonly limits: ResultLimits
  /**
   * The time between cancelling a backend's statement and terminating it, and between that and closing the connection.
   */
  readonly graceMs: number
}

/** The engine's own database, and whether sessions there may complete tasks. */
export interface OwnTarget extends Target {
  readonly completes: boolean
}

/** A run that has started. */
export interface Running {
  readonly ended: Promise<ExecutionResult>
  /** Stops it: its statement is cancelled, then its session is terminated, then the connection is closed. */
  interrupt(): void
}

/** Runs SQL tasks, each in a session of its own. */
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

  async #traced(job: SqlJob, hold: Hold): Promise<ExecutionResult> {
    const tracing = await this.#parts.tracing()
    return tracing.task(job, (within) =>
      this.#run(job, hold, (about, work) => tracing.query(within, about, work)),
    )
  }

  async #run(job: SqlJob, hold: Hold, traced: TraceQuery): Promise<ExecutionResult> {
    const { sessions, scripts, own, targetOf, statement, procedure } = this.#parts
    const { onRunning, onProgress, onEnded } = this.#parts
    const payload = readPayload(job.payload)
    let registered: RegisteredStatement | undefined
    let opened: OpenedProcedure | undefined
    let wish: SessionWish
    let script: Script
    let session: Session
    let target: Target | OwnTarget
    try {
      if (payload.statement !== undefined) registered = await statement(payload.statement)
      if (payload.procedure !== undefined) opened = await procedure(job, payload)
      wish = wishOf(payload, registered)
      const connection = registered?.connection ?? payload.connection
      target = connection === undefined ? own(wish.role || undefined) : await targetOf(connection)
      // Parsed before the task has a session: an operator who sees its process may cancel it at once.
      script = await scripts.read(textOf(payload, registered, opened))
      session = await this.#take(target, wish, hold)
    } catch (error) {
      return sessionFailed(error)
    }
    hold.session = session
    session.onProgress = (progress) => onProgress(job, progress)
    try {
      const isKnown = onRunning(job, session, target, payload.announced === true)
      if (isKnown !== undefined) {
        const failure = await isKnown.then(() => undefined, sessionFailed)
        if (failure !== undefined) return failure
      }
      const text = textOf(payload, registered, opened)
      const request = this.#request(job, payload, registered, target, script, text)
      if (hold.isInterrupted) return sessionFailed(stopped())
      return await traced(
        () => queryOf(request, payload, session),
        () =>
          opened === undefined
            ? executeRequest(session, request)
            : executeProcedure(session, request, opened.run),
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

  /** A run that is asked to stop does not wait for a server that may never answer. */
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

  #request(
    job: SqlJob,
    payload: SqlPayload,
    registered: RegisteredStatement | undefined,
    target: Target | OwnTarget,
    script: Script,
    text: string,
  ): SqlRequest {
    const { completing, limits } = this.#parts
    const completes = 'completes' in target && target.completes
    const params = registered === undefined ? [] : boundValues(payload.params, registered.params)
    return {
      text,
      script,
      params: params.length === 0 ? undefined : params,
      role: registered === undefined ? payload.role : (registered.role ?? undefined),
      settings: settingsOf(registered ?? payload, job.id),
      saves: payload.session?.save ?? false,
      limits: limitsOf(payload, limits),
      isWhole: payload.whole === true,
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

type TraceQuery = (
  about: () => TracedQuery,
  work: () => Promise<ExecutionResult>,
) => Promise<ExecutionResult>

interface Hold {
  session: Session | undefined
  isInterrupted: boolean
  /** Set while a session is being opened. */
  onInterrupt: (() => void) | undefined
}

function textOf(
  payload: SqlPayload,
  registered: RegisteredStatement | undefined,
  opened: OpenedProcedure | undefined,
): string {
  return opened?.sql ?? registered?.sql ?? payload.sql ?? ''
}

function wishOf(
  { session = {}, role = '' }: SqlPayload,
  registered: RegisteredStatement | undefined,
): SessionWish {
  const { scope = '', live_ms: liveMs = 0, count = 0, save = false } = session
  return { scope, role: registered?.role ?? role, liveMs, count, saves: save }
}

/** The limits of the task override those of the worker. An output that must be whole has no row limit. */
function limitsOf(payload: SqlPayload, { maxRows, maxBytes }: ResultLimits): ResultLimits {
  const { whole = false, max_rows = maxRows, max_bytes } = payload
  if (whole) return { maxRows: Infinity, maxBytes: max_bytes ?? mostBytes }
  return { maxRows: max_rows, maxBytes: max_bytes ?? maxBytes }
}

/** The text of a task may hold anything, also secrets. The text of a registered statement does not. */
function queryOf(request: SqlRequest, payload: SqlPayload, { client }: Session): TracedQuery {
  const kinds = request.script.statements.map(({ kind }) => kind)
  return {
    kinds: kinds.filter((kind) => kind !== ''),
    text: payload.statement === undefined ? undefined : request.text,
    statement: payload.statement,
    database: client.database,
    host: client.host,
    port: client.port,
  }
}

function stopped(): ConnectionError {
  return new ConnectionError('the task was stopped before it began', { fault: 'connection_failed' })
}

/** No session could be opened. Nothing ran, and the next attempt may succeed. */
function sessionFailed(error: unknown): ExecutionResult {
  if (error instanceof PayloadFault) throw error
  const code = error instanceof ConnectionError ? error.fault : 'connection_failed'
  return {
    kind: 'failed',
    isTimeout: false,
    error: buildSessionError(connectionFault(code, error)),
  }
}

/** Checks often at first, because a cancel takes effect within milliseconds. */
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
