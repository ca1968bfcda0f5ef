import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { Delivery, SqlError, SqlOutput } from '../../engine/sql-output.ts'
import { buildError, buildOutput, findUnnamedTypes } from './build-output.ts'
import { type Fault, faultOf } from './fault.ts'
import { charactersIn } from './parser/script.ts'
import { buildPreamble } from './preamble.ts'
import type { Part } from './session/query.ts'
import { ResultCollector, type ResultLimits } from './session/result-collector.ts'
import { type Answer, backToLogin, leftovers, type Session } from './session/session.ts'
import type { SqlRequest } from './sql-request.ts'

/**
 * How a run ended. `committed`: its transaction has completed the task. `lost`: this worker no longer held the task.
 */
export type ExecutionResult =
  | { readonly kind: 'done'; readonly output: SqlOutput }
  | { readonly kind: 'committed'; readonly output: SqlOutput }
  | { readonly kind: 'failed'; readonly error: SqlError; readonly isTimeout: boolean }
  | { readonly kind: 'lost' }
  /** A durable procedure has released its claim, and waits. */
  | { readonly kind: 'suspended' }

const blockRefusals = new Set(['25001', '2D000'])

/**
 * A statement refused to run in a transaction block. All of it was rolled back, so it can run again without one. If a
 * function raises the same code, it is a different error, and what came before it must not be committed.
 */
function needsNoBlock({ code, fields }: Fault): boolean {
  return blockRefusals.has(code) && fields['routine'] !== 'exec_stmt_raise'
}
const isolationSetting = /^default_transaction_isolation$/i
const leaseLost = new Set(['TK001', 'TK002'])

/** Only a transaction that has changed something has an id. */
const hasWritten = 'select pg_catalog.pg_current_xact_id_if_assigned() is not null'
const wroteNothing = 'f'
/**
 * A larger output is not reported together with others: its own session stores it at once, so that outputs do not pile
 * up in memory.
 */
const mostReportedBytes = 1_000_000

/** Runs SQL in a session, and leaves the session clean or marked as spent. Never throws. */
export async function executeRequest(
  session: Session,
  request: SqlRequest,
): Promise<ExecutionResult> {
  const run = new RequestRun(session, request)
  const ran = await run.perform()
  session.executed += 1
  return ran
}

class RequestRun {
  readonly #session: Session
  readonly #request: SqlRequest
  readonly #startedMs = performance.now()
  #collector: ResultCollector

  constructor(session: Session, request: SqlRequest) {
    this.#session = session
    this.#request = request
    this.#collector = new ResultCollector(request.limits)
  }

  async perform(): Promise<ExecutionResult> {
    const { script, completing, params } = this.#request
    if (script.way === 'whole' || completing === undefined || !this.#seesItsClaim())
      return this.#runFreely()
    const answer = params === undefined ? await this.#inBlock() : await this.#boundInBlock(params)
    const fault = faultOf(answer.error)
    if (fault === undefined) {
      const isLeft = answer.lastWord === wroteNothing && this.#collector.bytes < mostReportedBytes
      return isLeft ? this.#leave() : this.#complete(completing)
    }
    // For several statements the server's error is the result: it would refuse them without our block too.
    if (!needsNoBlock(fault) || script.statements.length > 1)
      return this.#failed(fault, 'exactly_once')
    if (!(await this.#session.clean())) return this.#failed(fault, 'exactly_once')
    this.#collector = new ResultCollector(this.#request.limits)
    return this.#runFreely()
  }

  /**
   * Above read committed, a transaction does not see later changes to its task, such as the mark that it has started.
   * The server then refuses to complete the task in it.
   */
  #seesItsClaim(): boolean {
    const asked = this.#request.settings.findLast(([name]) => isolationSetting.test(name))
    return /^read /i.test(asked?.[1] ?? this.#session.isolation)
  }

  /** Sends one message: the transaction, its settings, the text, and a query whether it wrote anything. */
  #inBlock(): Promise<Answer> {
    const { text, script } = this.#request
    const before = ['begin', ...buildPreamble(this.#session, this.#request, true)]
    const prefix = before.map((statement) => `${statement};`).join('')
    const part = { before: before.length, own: script.statements.length }
    return this.#sendAfter(prefix, `${text}\n;${hasWritten}`, 0, part)
  }

  async #boundInBlock(params: readonly (string | null)[]): Promise<Answer> {
    const own = ['begin', ...buildPreamble(this.#session, this.#request, true)].map((text) => ({
      text,
    }))
    const begun = await this.#session.pipe(own)
    if (begun.error !== undefined) return begun
    return this.#session.pipe([{ text: this.#request.text, values: params }], this.#collector)
  }

  /**
   * Nothing was written, so nothing has to commit together with the completion. It can be reported with other tasks,
   * which costs much less.
   */
  async #leave(): Promise<ExecutionResult> {
    const unfit = await this.#prepareOutput()
    if (unfit !== undefined) return this.#failed(unfit, 'exactly_once')
    const output = this.#output('exactly_once')
    const { saves } = this.#request
    const steps = saves
      ? [...backToLogin.slice(0, 1), 'commit']
      : [...backToLogin, 'commit', ...leftovers]
    const { error, tags } = await this.#session.say(steps)
    if (error === undefined) return { kind: 'done', output }
    const fault = faultOf(error)
    if (tags.includes('COMMIT') || fault === undefined) {
      await this.#session.clean()
      return { kind: 'done', output }
    }
    return this.#failed(fault, 'exactly_once')
  }

  async #complete(completing: (output: string) => { text: string }): Promise<ExecutionResult> {
    const { saves } = this.#request
    // The text ended the transaction in an unexpected way.
    if (this.#session.status !== 'T') return this.#done('at_least_once')
    const unfit = await this.#prepareOutput()
    if (unfit !== undefined) return this.#failed(unfit, 'exactly_once')
    const output = this.#output('exactly_once')
    const back = saves ? [backToLogin[0] ?? '', "set local client_encoding to 'UTF8'"] : backToLogin
    // Constraints that the task deferred must not run with the rights of the login; those of the engine must.
    const before = ['set constraints all immediate', ...back, 'set constraints all deferred']
    const { error, tags } = await this.#session.pipe([
      ...before.map((text) => ({ text })),
      completing(JSON.stringify(output)),
      { text: 'commit' },
      ...(saves ? [] : leftovers.map((text) => ({ text }))),
    ])
    if (tags.includes('COMMIT')) {
      if (error !== undefined) await this.#session.clean()
      return { kind: 'committed', output }
    }
    const fault = faultOf(error)
    const isRefused = tags.length >= before.length && leaseLost.has(fault?.code ?? '')
    if (fault !== undefined && !isRefused) return this.#failed(fault, 'exactly_once')
    await this.#session.clean()
    return { kind: 'lost' }
  }

  /** Without our transaction: as one message, which the server runs in one transaction as far as it can. */
  async #runFreely(): Promise<ExecutionResult> {
    const { params, text } = this.#request
    const prepared = await this.#session.pipe(
      buildPreamble(this.#session, this.#request, false).map((each) => ({ text: each })),
    )
    const refused = faultOf(prepared.error)
    if (refused !== undefined) return this.#failed(refused, 'at_least_once')
    const { error } =
      params === undefined
        ? await this.#sendAfter('', text, 0)
        : await this.#session.pipe([{ text, values: params }], this.#collector)
    return this.#ended(error)
  }

  async #ended(error: Error | undefined): Promise<ExecutionResult> {
    const fault = faultOf(error) ?? (await this.#endOpenTransaction())
    return fault === undefined ? this.#done('at_least_once') : this.#failed(fault, 'at_least_once')
  }

  /** Commits a transaction that the text left open, like pg_task and pg_background do. */
  async #endOpenTransaction(): Promise<Fault | undefined> {
    if (this.#session.status !== 'T') return undefined
    const { error } = await this.#session.send('commit', this.#collector)
    const last = this.#collector.results.at(-1)
    if (last?.tag === 'COMMIT') last.implied = true
    return faultOf(error)
  }

  async #done(delivery: Delivery): Promise<ExecutionResult> {
    const unfit = await this.#prepareOutput()
    if (unfit !== undefined) return this.#failed(unfit, delivery)
    const output = this.#output(delivery)
    if (!this.#request.saves) await this.#session.clean()
    else await this.#keep()
    return { kind: 'done', output }
  }

  /** The session stays as the text left it. Only what the runner set for the session is undone. */
  async #keep(): Promise<void> {
    const { settings } = this.#request
    const own = this.#request.msLeft() === null ? [] : ['statement_timeout']
    const names = [...settings.map(([name]) => name), ...own]
    const steps = [backToLogin[0] ?? '', ...names.map((name) => `reset ${nameOf(name)}`)]
    const { error } = await this.#session.say(steps)
    if (error !== undefined) this.#session.isSpent = true
  }

  async #failed(fault: Fault, delivery: Delivery): Promise<ExecutionResult> {
    const msLeft = this.#request.msLeft()
    const isTimeout = fault.code === '57014' && msLeft !== null && msLeft <= 5
    if (!this.#session.isSpent) await this.#leaveAfterFault()
    // The names of missing types could not be queried before: the transaction was over.
    const names = findUnnamedTypes(this.#session, this.#collector)
    if (names.length > 0 && !this.#session.isSpent) {
      await this.#session.types.learn(this.#session.client, names).catch(() => {})
    }
    return {
      kind: 'failed',
      isTimeout,
      error: buildError(this.#session, this.#collector, fault, {
        delivery,
        startedMs: this.#startedMs,
      }),
    }
  }

  /** A saved session keeps what the text left in it, except the failed transaction. */
  async #leaveAfterFault(): Promise<void> {
    if (!this.#request.saves) {
      await this.#session.clean()
      return
    }
    if (this.#session.status !== 'I') await this.#session.say(['rollback'])
    await this.#keep()
  }

  /** What prevents the output from being stored: it must be whole but is not, or its types cannot be named. */
  async #prepareOutput(): Promise<Fault | undefined> {
    if (this.#request.isWhole && this.#collector.isCut) return tooLarge(this.#request.limits)
    const missing = findUnnamedTypes(this.#session, this.#collector)
    if (missing.length === 0) return undefined
    try {
      await this.#session.types.learn(this.#session.client, missing)
      return undefined
    } catch (error) {
      return faultOf(error as Error)
    }
  }

  #output(delivery: Delivery): SqlOutput {
    return buildOutput(this.#session, this.#collector, { delivery, startedMs: this.#startedMs })
  }

  /** The server counts a position in the whole message. The task's error has the position in the task's own text. */
  async #sendAfter(prefix: string, text: string, offset: number, part?: Part): Promise<Answer> {
    const answer = await this.#session.send(prefix + text, this.#collector, part)
    const { error } = answer
    if (error instanceof pg.DatabaseError && error.position !== undefined) {
      const position = Number(error.position) - charactersIn(prefix) + offset
      error.position = position > 0 ? String(position) : undefined
    }
    return answer
  }
}

/** The error that the server raises for its own limits. */
function tooLarge({ maxBytes }: ResultLimits): Fault {
  return {
    name: 'SqlError',
    code: '54000',
    message: `the output is larger than ${maxBytes} bytes`,
    fields: { severity: 'ERROR', hint: 'Write it to a table, or to several tasks.' },
  }
}

/** `a.b`, each part quoted. */
function nameOf(setting: string): string {
  return setting
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.')
}
