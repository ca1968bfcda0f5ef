import { fileURLToPath } from 'node:url'
import { Client, escapeIdentifier } from 'pg'
import { AgentProcess } from '../shared/agent-process.ts'
import { countStatements } from '../shared/database-meter.ts'
import { onCluster } from '../shared/on-cluster.ts'
import type { AgentVerbs } from './agent/protocol.ts'
import type { PeerSubject } from './subjects/adapter.ts'

const script = fileURLToPath(new URL('./agent/main.js', import.meta.url))

export type PeerAgent = AgentProcess<AgentVerbs>

export interface StageOptions {
  /** A database that exists in every cluster. */
  readonly clusterUrl: string
  readonly database: string
  readonly node: string
  readonly subject: PeerSubject
  readonly queues: readonly string[]
  readonly countsStatements: boolean
}

/** One subject in a database of its own, with the processes that use it. */
export class Stage {
  readonly subject: PeerSubject
  readonly admin: Client
  readonly #options: StageOptions
  readonly #url: string
  #producer: PeerAgent | undefined
  readonly #workers: PeerAgent[] = []

  private constructor(options: StageOptions) {
    const url = new URL(options.clusterUrl)
    url.pathname = `/${options.database}`
    this.#options = options
    this.#url = url.href
    this.subject = options.subject
    this.admin = new Client(this.#url)
    // A query that is under way rejects by itself; without a listener the process would end too.
    this.admin.on('error', () => {})
  }

  static async open(options: StageOptions): Promise<Stage> {
    await onCluster(options.clusterUrl, `create database ${escapeIdentifier(options.database)}`)
    const stage = new Stage(options)
    try {
      await stage.admin.connect()
      if (options.countsStatements) await countStatements(stage.admin)
      await (await stage.producer()).call('install', options.queues)
      return stage
    } catch (error) {
      await stage.close()
      throw error
    }
  }

  async producer(): Promise<PeerAgent> {
    this.#producer ??= await this.#start()
    return this.#producer
  }

  /** For workloads that measure only the workers. */
  async closeProducer(): Promise<void> {
    await this.#producer?.close()
    this.#producer = undefined
  }

  /** The same processes in every round, so that their code is warm. */
  async workers(count: number): Promise<PeerAgent[]> {
    const missing = Math.max(count - this.#workers.length, 0)
    const started = await Promise.all(Array.from({ length: missing }, () => this.#start()))
    this.#workers.push(...started)
    return this.#workers.slice(0, count)
  }

  /** Another connection of the main process; its backend is not the subject's, so end it before a meter reads. */
  async connect(): Promise<Client> {
    const client = new Client(this.#url)
    client.on('error', () => {})
    await client.connect()
    return client
  }

  /** Vacuums as autovacuum would, so that autovacuum does not run in the middle of a round. */
  async tidy(): Promise<void> {
    await this.admin.query('vacuum (analyze)')
  }

  async isPending(): Promise<boolean> {
    const { rows } = await this.admin.query<{ pending: boolean }>(this.subject.pending)
    return rows[0]?.pending ?? false
  }

  async close(): Promise<void> {
    const agents = [...this.#workers, ...(this.#producer === undefined ? [] : [this.#producer])]
    await Promise.all(agents.map((agent) => agent.close()))
    await this.admin.end().catch(() => {})
    const { clusterUrl, database } = this.#options
    const text = `drop database if exists ${escapeIdentifier(database)} with (force)`
    await onCluster(clusterUrl, text).catch(() => {})
  }

  async #start(): Promise<PeerAgent> {
    const agent = new AgentProcess<AgentVerbs>({ script, node: this.#options.node })
    await agent.call('open', this.subject.name, this.#url)
    return agent
  }
}
