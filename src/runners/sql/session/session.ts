import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { type Reading, shortenMessages } from './message-shortener.ts'
import { type Part, Pipeline, SimpleQuery, type Step } from './query.ts'
import type { ResultCollector } from './result-collector.ts'
import { TypeNames } from './type-names.ts'

/** The fields of a notice, as the driver passes them. */
interface NoticeMessage {
  readonly severity?: string | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  readonly where?: string | undefined
}

interface Born {
  readonly login: string
  readonly pid: number
  readonly isolation: string
  readonly settings: string
}

/** With this SQLSTATE a task reports its progress: in the message's detail, as JSON. */
const progressCode = 'TK100'

/** `I`dle, in a `T`ransaction, in a failed one (`E`). */
export type TransactionStatus = 'I' | 'T' | 'E'

/**
 * Removes everything that a task may leave behind in its session. DISCARD ALL would do the same, but it cannot run in a
 * pipeline, and it drops the plans of the verbs as well.
 */
export const leftovers: readonly string[] = [
  'deallocate all',
  'close all',
  'unlisten *',
  'select pg_catalog.pg_advisory_unlock_all()',
  'discard temp',
  'discard sequences',
]
/** Returns to the login and its settings, whatever role the task set. */
export const backToLogin: readonly string[] = ['set session authorization default', 'reset all']
const cleaning = [...backToLogin, ...leftovers]

/** Changes when the settings of its database or login change. The session is then out of date. */
const settingsOf = `select current_user as login, pg_catalog.pg_backend_pid() as pid,
  pg_catalog.current_setting('default_transaction_isolation') as isolation, pg_catalog.pg_postmaster_start_time()::text || coalesce(
  (select pg_catalog.string_agg(setdatabase || ' ' || setrole || ' ' || xmin, ',' order by setdatabase, setrole)
   from pg_catalog.pg_db_role_setting
   where setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
     and setrole in (0, session_user::pg_catalog.regrole)), '') as settings`

/** How often a session in constant use is checked for being out of date. */
const askEveryMs = 1_000

/** A connection that runs the SQL of tasks, one task at a time. */
export class Session {
  readonly client: pg.Client
  /** How it was opened, and how to open others to the same server. */
  readonly config: pg.ClientConfig
  /** The process id on the server. Queried, because a pooler reports another id. */
  pid = 0
  readonly bornMs: number = performance.now()
  readonly types = new TypeNames()
  /** The role that logged in. */
  login = ''
  /** The default isolation level of its transactions. */
  isolation = 'read committed'
  /** How many tasks it has run. */
  executed = 0
  /** It was not cleaned, because the last task asked for that. */
  isSaved: boolean = false
  /** It must not be used again: a cancel may still be on its way, or its state is unknown. */
  isSpent: boolean = false
  /** Receives the progress of the running task. */
  onProgress: ((progress: string) => void) | undefined
  #settings = ''
  #askedMs = 0
  #collector: ResultCollector | undefined
  /** The server's last error, if it closed the connection while no statement was running. */
  #farewell: pg.DatabaseError | undefined

  private constructor(client: pg.Client, config: pg.ClientConfig) {
    this.client = client
    this.config = config
    client.on('error', (error) => {
      this.isSpent = true
      if (error instanceof pg.DatabaseError) this.#farewell ??= error
    })
    client.on('end', () => {
      this.isSpent = true
    })
    client.on('notice', (notice: NoticeMessage) => this.#notice(notice))
    connectionOf(client).on('copyOutResponse', () => this.#collector?.copying())
  }

  static async open(config: pg.ClientConfig): Promise<Session> {
    const client = new pg.Client({ ...config, query_timeout: undefined })
    // Before connect(): an error without a listener crashes the process.
    client.on('error', () => {})
    shortenMessages(connectionOf(client))
    try {
      await client.connect()
    } catch (error) {
      destroy(client)
      throw error
    }
    const session = new Session(client, config)
    try {
      await session.learn()
    } catch (error) {
      destroy(client)
      throw error
    }
    return session
  }

  /** Reads its identity and its initial settings. */
  async learn(): Promise<void> {
    const { login, pid, isolation, settings } = await this.#ask()
    this.login = login
    this.isolation = isolation
    this.pid = pid
    this.#settings = settings
  }

  /** Whether the settings of its login are still the initial ones. Checked at most once a second. */
  async isUpToDate(): Promise<boolean> {
    if (performance.now() - this.#askedMs < askEveryMs) return true
    try {
      return (await this.#ask()).settings === this.#settings
    } catch {
      return false
    }
  }

  get status(): TransactionStatus {
    const { _txStatus } = this.client as unknown as { _txStatus: TransactionStatus | null }
    return _txStatus ?? 'I'
  }

  /** Sends a text unchanged. `part` says which of its statements are the task's own, if not all. */
  async send(text: string, collector: ResultCollector, part?: Part): Promise<Answer> {
    const question = new SimpleQuery(text, collector, part)
    const error = await this.#heard(question, collector)
    return { error, tags: question.tags, lastWord: question.lastWord }
  }

  /** Sends statements with bound values, in one batch. */
  async pipe(steps: readonly Step[], collector?: ResultCollector): Promise<Answer> {
    const question = new Pipeline(steps, collector)
    const error = await this.#heard(question, collector)
    return { error, tags: question.tags, lastWord: undefined }
  }

  /** Runs statements of the runner itself, in one message. Their results are ignored. */
  async say(statements: readonly string[]): Promise<Answer> {
    const question = new SimpleQuery(statements.join(';'), undefined)
    return {
      error: await this.#heard(question, undefined),
      tags: question.tags,
      lastWord: undefined,
    }
  }

  /** Ends an open transaction and removes what was left behind. Returns whether that succeeded. */
  async clean(): Promise<boolean> {
    const ending = this.status === 'I' ? [] : ['rollback']
    const { error } = await this.say([...ending, ...cleaning])
    if (error !== undefined) this.isSpent = true
    return error === undefined
  }

  /** At once, without waiting for a server that may not answer. */
  close(): void {
    this.isSpent = true
    destroy(this.client)
  }

  async #ask(): Promise<Born> {
    const { rows } = await this.client.query<Born>(settingsOf)
    this.#askedMs = performance.now()
    return rows[0] ?? { login: '', pid: 0, isolation: '', settings: '' }
  }

  async #heard(question: SimpleQuery | Pipeline, collector: ResultCollector | undefined) {
    this.#collector = collector
    this.client.query(question)
    const answer = await question.answer
    const isUnheard = answer !== undefined && !(answer instanceof pg.DatabaseError)
    // The driver reports only that the connection is gone. The server has reported why.
    const error = isUnheard ? (this.#farewell ?? answer) : answer
    // After an error the server becomes ready a moment later. Until then the status is the old one.
    if (error !== undefined && !this.isSpent) await this.#becomeReady()
    this.#collector = undefined
    return error
  }

  /** Resolves when the server is ready again, or the connection is lost. */
  async #becomeReady(): Promise<void> {
    const question = new Pipeline([])
    this.client.query(question)
    await question.answer
  }

  #notice({ severity = '', code = '', message = '', detail, hint, where }: NoticeMessage): void {
    if (code === progressCode && detail !== undefined) {
      this.onProgress?.(detail)
      return
    }
    this.#collector?.notice({
      severity,
      code,
      message,
      ...(detail === undefined ? {} : { detail }),
      ...(hint === undefined ? {} : { hint }),
      ...(where === undefined ? {} : { where }),
    })
  }
}

export interface Answer {
  readonly error: Error | undefined
  readonly tags: readonly string[]
  /** The result of the runner's own last statement. */
  readonly lastWord: string | null | undefined
}

interface Wire extends NodeJS.EventEmitter, Reading {
  readonly stream?: { destroy(): void }
}

function connectionOf(client: pg.Client): Wire {
  return (client as unknown as { connection: Wire }).connection
}

/** Closes the connection, with a goodbye message if it is still open. */
function destroy(client: pg.Client): void {
  const { stream } = connectionOf(client)
  void client.end().catch(() => {})
  setTimeout(() => stream?.destroy(), 100).unref()
}
