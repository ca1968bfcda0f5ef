import { setTimeout as pause } from 'node:timers/promises'
import { Worker as Thread } from 'node:worker_threads'
import type { Queryable } from '../../db/queryable.ts'
import type { Held } from '../../engine/outcomes.ts'
import type { WorkerCard } from '../../engine/working.ts'
import { Backoff } from '../../lib/backoff.ts'
import { fileBeside } from '../../lib/file-beside.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ConfigAsData } from '../connections/connection-config.ts'
import type { HeldTasks, HeldTasksSnapshot } from './held-tasks.ts'
import { type BeatAnswer, type BeatValues, sayBeat } from './say-beat.js'

/** What the thread is given when it starts. */
export interface ThreadData {
  readonly config: ConfigAsData
  /** Quoted. */
  readonly schema: string
  readonly card: WorkerCard
  readonly leaseMs: number
  /** Between beats while something is held. */
  readonly beatMs: number
  /** Between beats while nothing is. */
  readonly idleMs: number
  readonly maxBlockMs: number
  /** A beat that is not answered in this time has failed. */
  readonly answerWithinMs: number
  /** The thread keeps its connection also while nothing is held: it cannot ask for a password when it needs one. */
  readonly keepsConnection: boolean
}

/** The tasks of one claim, as a list for an array literal. */
export interface ClaimedIds {
  readonly claim: string
  readonly ids: string
}

export type ToThread =
  | { readonly kind: 'held'; readonly held: HeldTasksSnapshot }
  | { readonly kind: 'claimed'; readonly claims: readonly ClaimedIds[] }
  /** There may be news: beat out of turn. */
  | { readonly kind: 'soon' }
  | Said
  | { readonly kind: 'config'; readonly config: ConfigAsData }
  | { readonly kind: 'stop' }

/** What became of a beat that the main thread was asked to say. */
export type Said =
  | { readonly kind: 'said'; readonly number: number; readonly answer: BeatAnswer }
  | { readonly kind: 'unsaid'; readonly number: number; readonly reason: string }

export type FromThread =
  | { readonly kind: 'ask' }
  /** Say this beat: the thread has no connection. */
  | { readonly kind: 'say'; readonly number: number; readonly values: BeatValues }
  | {
      readonly kind: 'beat'
      readonly claimIds: readonly string[]
      readonly sentAtMs: number
      readonly lost: readonly Held[]
      readonly draining: boolean
      readonly blockedMs: number
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'registered' }

export interface HeartbeatOptions extends Omit<ThreadData, 'config'> {
  /** Asked before each start, and again when a beat fails: passwords may change. */
  readonly config: () => Promise<ConfigAsData>
  /** Runs a statement on a connection of the main thread that has nothing to do. */
  readonly share: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>
  readonly heldTasks: HeldTasks
  readonly log: Logger
  /** These are no longer the worker's. */
  readonly onLost: (lost: readonly Held[]) => void
  readonly onDraining: () => void
  /** The worker had been forgotten, and with it that it sleeps. */
  readonly onRegistered: () => void
}

/** Keeps the leases from a thread of its own; this side tells it what is held and hears what was lost. */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  #thread: Thread | undefined
  #isStopping: boolean = false
  #isFailing: boolean = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const {
      share: _s,
      heldTasks: _h,
      log,
      onLost: _l,
      onDraining: _d,
      onRegistered: _r,
      ...rest
    } = this.#options
    const config = await this.#config()
    if (config === undefined || this.#isStopping) return
    const data: ThreadData = { ...rest, config }
    const thread = await openThread(data)
    if (this.#isStopping) return void thread.terminate()
    thread.on('message', (message: FromThread) => this.#hear(message))
    thread.on('error', (error) => log.error({ err: error }, 'the heartbeat thread failed'))
    thread.on('exit', () => this.#restart())
    this.#thread = thread
  }

  claimed(tasks: readonly Held[]): void {
    if (tasks.length === 0) return
    const ids = new Map<string, string[]>()
    for (const { id, claim } of tasks) {
      const list = ids.get(claim)
      if (list === undefined) ids.set(claim, [id])
      else list.push(id)
    }
    // Joined at once: a text that grew id by id took a microsecond per task to be copied to the thread.
    const claims = Array.from(ids, ([claim, list]) => ({ claim, ids: list.join(',') }))
    this.#tell({ kind: 'claimed', claims })
  }

  /** Asks the database soon what is still ours, and whether to drain. */
  soon(): void {
    this.#tell({ kind: 'soon' })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const thread = this.#thread
    if (thread === undefined) return
    const exited = new Promise<void>((resolve) => void thread.once('exit', () => resolve()))
    const patience = setTimeout(() => void thread.terminate(), 2_000)
    this.#tell({ kind: 'stop' })
    await exited
    clearTimeout(patience)
  }

  /** Until it is known, or not wanted any more: without a heartbeat every lease would be lost. */
  async #config(): Promise<ConfigAsData | undefined> {
    for (const backoff = new Backoff(); !this.#isStopping; ) {
      try {
        return await this.#options.config()
      } catch (err) {
        this.#options.log.error({ err }, 'cannot get the password for the heartbeat; trying again')
        await pause(backoff.failed())
      }
    }
    return undefined
  }

  #tell(message: ToThread): void {
    this.#thread?.postMessage(message)
  }

  /** Meanwhile nothing is renewed; the trust in each lease runs out by itself. */
  #restart(): void {
    this.#thread = undefined
    if (this.#isStopping) return
    setTimeout(() => {
      this.start().catch((err: unknown) =>
        this.#options.log.error({ err }, 'cannot restart the heartbeat thread'),
      )
    }, 100)
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case 'ask':
        this.#tell({ kind: 'held', held: this.#options.heldTasks.snapshot() })
        break
      case 'beat':
        this.#beaten(message)
        break
      case 'failed':
        this.#failed(message.reason)
        break
      case 'registered':
        this.#registered()
        break
      case 'say':
        void this.#say(message)
        break
    }
  }

  #registered(): void {
    this.#options.log.warn({}, 'the worker had been forgotten and is registered again')
    this.#options.onRegistered()
  }

  async #say({ number, values }: Extract<FromThread, { kind: 'say' }>): Promise<void> {
    const { share } = this.#options
    try {
      const answer = await share((db) =>
        sayBeat(db, this.#options, values, () => this.#registered()),
      )
      this.#tell({ kind: 'said', number, answer })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#tell({ kind: 'unsaid', number, reason })
    }
  }

  #beaten(beat: Extract<FromThread, { kind: 'beat' }>): void {
    const { heldTasks, log, onLost, onDraining } = this.#options
    this.#isFailing = false
    if (beat.blockedMs > 0) log.warn({ blockedMs: beat.blockedMs }, 'the event loop was blocked')
    heldTasks.renewed(beat.claimIds, beat.sentAtMs)
    if (beat.lost.length > 0) onLost(beat.lost)
    if (beat.draining) onDraining()
  }

  #failed(reason: string): void {
    if (!this.#isFailing) this.#options.log.warn({ reason }, 'a heartbeat failed; trying again')
    this.#isFailing = true
    this.#options.config().then(
      (config) => this.#tell({ kind: 'config', config }),
      () => {},
    )
  }
}

/** From its file, or in a bundle, where there is none, from its code. */
async function openThread(workerData: ThreadData): Promise<Thread> {
  const options = { workerData, name: 'tusk heartbeat' }
  const file = fileBeside(import.meta.url, 'heartbeat-thread.js')
  if (file !== undefined) return new Thread(file, options)
  const { threadCode } = await import('./packaged-thread.ts')
  if (threadCode === undefined) throw new Error('the code of the heartbeat thread is missing')
  return new Thread(threadCode, { ...options, eval: true })
}
