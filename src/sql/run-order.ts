import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { Delivery, SqlError, SqlOutput } from '../engine/sql-output.ts'
import { type Fault, faultOf } from './fault.ts'
import { Gathering } from './gather.ts'
import type { SqlOrder } from './order.ts'
import type { Part } from './query.ts'
import { charactersIn } from './script.ts'
import { type Answer, backToLogin, leftovers, type Session } from './session.ts'
import { errorFrom, namesOf, outputFrom } from './tell.ts'

/** How a run ended. `settled`: the task is complete already; `lost`: it was no longer ours to complete. */
export type Ran =
  | { readonly kind: 'done'; readonly output: SqlOutput }
  | { readonly kind: 'settled'; readonly output: SqlOutput }
  | { readonly kind: 'failed'; readonly error: SqlError; readonly isTimeout: boolean }
  | { readonly kind: 'lost' }

const blockRefusals = new Set(['25001', '2D000'])

/**
 * The refusal of a transaction block: all of it was undone, so it may run again without one. What a
 * function raises with the same code is no refusal, and what came before it must not be committed.
 */
function needsNoBlock({ code, fields }: Fault): boolean {
  return blockRefusals.has(code) && fields['routine'] !== 'exec_stmt_raise'
}
const isolationSetting = /^default_transaction_isolation$/i
const leaseLost = new Set(['TK001', 'TK002'])

/** A transaction that changes anything has a number. */
const hasWritten = 'select pg_catalog.pg_current_xact_id_if_assigned() is not null'
const wroteNothing = 'f'

/** Runs SQL on a session and leaves the session clean, or spent. Never throws. */
export async function runOrder(session: Session, order: SqlOrder): Promise<Ran> {
  const run = new OrderRun(session, order)
  const ran = await run.perform()
  session.executed += 1
  return ran
}

class OrderRun {
  readonly #session: Session
  readonly #order: SqlOrder
  readonly #startedMs = performance.now()
  #gathering: Gathering

  constructor(session: Session, order: SqlOrder) {
    this.#session = session
    this.#order = order
    this.#gathering = new Gathering(order.limits)
  }

  async perform(): Promise<Ran> {
    const { script, completing, params } = this.#order
    if (script.way === 'singly') return this.#runFreely('singly')
    if (script.way === 'whole' || completing === undefined || !this.#seesItsClaim())
      return this.#runFreely('whole')
    const answer = params === undefined ? await this.#inBlock() : await this.#boundInBlock(params)
    const fault = faultOf(answer.error)
    if (fault === undefined) {
      return answer.lastWord === wroteNothing ? this.#leave() : this.#complete(completing)
    }
    if (!needsNoBlock(fault)) return this.#failed(fault, 'exactly_once')
    if (!(await this.#session.clean())) return this.#failed(fault, 'exactly_once')
    this.#gathering = new Gathering(this.#order.limits)
    return this.#runFreely('singly')
  }

  /**
   * Above read committed a transaction does not see what became of its task meanwhile, such as that it
   * was marked as started, and cannot complete it: the server refuses to change what was changed.
   */
  #seesItsClaim(): boolean {
    const asked = this.#order.settings.findLast(([name]) => isolationSetting.test(name))
    return /^read /i.test(asked?.[1] ?? this.#session.isolation)
  }

  /** One message: the transaction, its settings, the text, and whether that wrote anything. */
  #inBlock(): Promise<Answer> {
    const { text, script } = this.#order
    const before = ['begin', ...this.#preamble(true)]
    const prefix = before.map((statement) => `${statement};`).join('')
    const part = { before: before.length, own: script.statements.length }
    return this.#sendAfter(prefix, `${text}\n;${hasWritten}`, 0, part)
  }

  async #boundInBlock(params: readonly (string | null)[]): Promise<Answer> {
    const own = ['begin', ...this.#preamble(true)].map((text) => ({ text }))
    const begun = await this.#session.pipe(own)
    if (begun.error !== undefined) return begun
    return this.#session.pipe([{ text: this.#order.text, values: params }], this.#gathering)
  }

  /**
   * Nothing was written, so there is nothing that must be committed together with the completion: it
   * can be reported with those of other tasks, which costs a fraction.
   */
  async #leave(): Promise<Ran> {
    const unnamed = await this.#learnTypes()
    if (unnamed !== undefined) return this.#failed(unnamed, 'exactly_once')
    const output = this.#output('exactly_once')
    const { saves } = this.#order
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

  async #complete(completing: (output: string) => { text: string }): Promise<Ran> {
    const { saves } = this.#order
    // A text that ended the transaction in a way nobody foresaw.
    if (this.#session.status !== 'T') return this.#done('at_least_once')
    const unnamed = await this.#learnTypes()
    if (unnamed !== undefined) return this.#failed(unnamed, 'exactly_once')
    const output = this.#output('exactly_once')
    const back = saves ? [backToLogin[0] ?? '', "set local client_encoding to 'UTF8'"] : backToLogin
    // What the task put off to the commit must not happen with the rights of the login; what the engine
    // puts off has to.
    const before = ['set constraints all immediate', ...back, 'set constraints all deferred']
    const { error, tags } = await this.#session.pipe([
      ...before.map((text) => ({ text })),
      completing(JSON.stringify(output)),
      { text: 'commit' },
      ...(saves ? [] : leftovers.map((text) => ({ text }))),
    ])
    if (tags.includes('COMMIT')) {
      if (error !== undefined) await this.#session.clean()
      return { kind: 'settled', output }
    }
    const fault = faultOf(error)
    const isRefused = tags.length >= before.length && leaseLost.has(fault?.code ?? '')
    if (fault !== undefined && !isRefused) return this.#failed(fault, 'exactly_once')
    await this.#session.clean()
    return { kind: 'lost' }
  }

  /** Without a transaction of ours: as one message, which is one as far as the server can, or statement by statement. */
  async #runFreely(way: 'whole' | 'singly'): Promise<Ran> {
    const { script, params, text } = this.#order
    const prepared = await this.#session.pipe(this.#preamble(false).map((each) => ({ text: each })))
    const refused = faultOf(prepared.error)
    if (refused !== undefined) return this.#failed(refused, 'at_least_once')
    if (params !== undefined) {
      const { error } = await this.#session.pipe([{ text, values: params }], this.#gathering)
      return this.#ended(error)
    }
    const parts = way === 'whole' ? [{ text, offset: 0 }] : script.statements
    for (const part of parts) {
      const { error } = await this.#sendAfter('', part.text, part.offset)
      if (error === undefined) continue
      const isUndone = way === 'whole' && script.way === 'block' && this.#session.status === 'I'
      const fault = faultOf(error)
      return isUndone && fault !== undefined && needsNoBlock(fault)
        ? this.#again()
        : this.#ended(error)
    }
    return this.#ended(undefined)
  }

  /** Nothing of it took effect: once more, each statement by itself. */
  async #again(): Promise<Ran> {
    await this.#session.clean()
    this.#gathering = new Gathering(this.#order.limits)
    return this.#runFreely('singly')
  }

  async #ended(error: Error | undefined): Promise<Ran> {
    const fault = faultOf(error) ?? (await this.#endOpenTransaction())
    return fault === undefined ? this.#done('at_least_once') : this.#failed(fault, 'at_least_once')
  }

  /** What was begun and not ended is committed, as it would be by pg_task and its kin. */
  async #endOpenTransaction(): Promise<Fault | undefined> {
    if (this.#session.status !== 'T') return undefined
    const { error } = await this.#session.send('commit', this.#gathering)
    const last = this.#gathering.results.at(-1)
    if (last?.tag === 'COMMIT') last.implied = true
    return faultOf(error)
  }

  async #done(delivery: Delivery): Promise<Ran> {
    const unnamed = await this.#learnTypes()
    if (unnamed !== undefined) return this.#failed(unnamed, delivery)
    const output = this.#output(delivery)
    if (!this.#order.saves) await this.#session.clean()
    else await this.#keep()
    return { kind: 'done', output }
  }

  /** The session stays as the text left it: what the runner itself set for the session is taken back. */
  async #keep(): Promise<void> {
    const { settings } = this.#order
    const own = this.#order.msLeft() === null ? [] : ['statement_timeout']
    const names = [...settings.map(([name]) => name), ...own]
    const steps = [backToLogin[0] ?? '', ...names.map((name) => `reset ${nameOf(name)}`)]
    const { error } = await this.#session.say(steps)
    if (error !== undefined) this.#session.isSpent = true
  }

  async #failed(fault: Fault, delivery: Delivery): Promise<Ran> {
    const msLeft = this.#order.msLeft()
    const isTimeout = fault.code === '57014' && msLeft !== null && msLeft <= 5
    if (!this.#session.isSpent) await this.#session.clean()
    // Names of types that are missing were never asked for: the transaction was over.
    const names = namesOf(this.#session, this.#gathering)
    if (names.length > 0 && !this.#session.isSpent) {
      await this.#session.types.learn(this.#session.client, names).catch(() => {})
    }
    return {
      kind: 'failed',
      isTimeout,
      error: errorFrom(this.#session, this.#gathering, fault, {
        delivery,
        startedMs: this.#startedMs,
      }),
    }
  }

  async #learnTypes(): Promise<Fault | undefined> {
    const missing = namesOf(this.#session, this.#gathering)
    if (missing.length === 0) return undefined
    try {
      await this.#session.types.learn(this.#session.client, missing)
      return undefined
    } catch (error) {
      return faultOf(error as Error)
    }
  }

  #output(delivery: Delivery): SqlOutput {
    return outputFrom(this.#session, this.#gathering, { delivery, startedMs: this.#startedMs })
  }

  /** A position is counted in what was sent; told is where that is in the task's own text. */
  async #sendAfter(prefix: string, text: string, offset: number, part?: Part): Promise<Answer> {
    const answer = await this.#session.send(prefix + text, this.#gathering, part)
    const { error } = answer
    if (error instanceof pg.DatabaseError && error.position !== undefined) {
      const position = Number(error.position) - charactersIn(prefix) + offset
      error.position = position > 0 ? String(position) : undefined
    }
    return answer
  }

  /** The role first: what it may not set, the task may not. */
  #preamble(isLocal: boolean): string[] {
    const { settings, role } = this.#order
    const msLeft = this.#order.msLeft()
    const isOther = role !== undefined && role !== this.#session.login
    const all: (readonly [string, string])[] = isOther
      ? [['role', role], ...settings]
      : [...settings]
    if (msLeft !== null) all.push(['statement_timeout', String(timeoutOf(msLeft))])
    if (all.length === 0) return []
    const calls = all.map(
      ([name, value]) =>
        `pg_catalog.set_config(${pg.escapeLiteral(name)},${pg.escapeLiteral(value)},${isLocal})`,
    )
    return [`select ${calls.join(',')}`]
  }
}

/** The server knows no longer one; past it the worker's own clock counts. */
const longestTimeoutMs = 2_147_483_647

function timeoutOf(msLeft: number): number {
  return Math.min(Math.max(Math.ceil(msLeft), 1), longestTimeoutMs)
}

/** `a.b`, each part as it is. */
function nameOf(setting: string): string {
  return setting
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.')
}
