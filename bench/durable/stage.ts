import { fileURLToPath } from 'node:url'
import { Client, escapeIdentifier } from 'pg'
import { AgentProcess } from '../shared/agent-process.ts'
import { onCluster } from '../shared/on-cluster.ts'
import { effectsTable } from './agent/hooks.ts'
import type { DurableVerbs } from './agent/protocol.ts'
import type { DurableSubject } from './subjects/subject.ts'

const script = fileURLToPath(new URL('./agent/main.js', import.meta.url))

export type DurableAgent = AgentProcess<DurableVerbs>

export interface StageOptions {
  /** A database of the cluster that is always there. */
  readonly clusterUrl: string
  readonly database: string
  readonly node: string
  readonly subject: DurableSubject
}

/** One subject in a new database, with the processes that use it; made for one round. */
export class Stage {
  readonly subject: DurableSubject
  readonly admin: Client
  readonly #options: StageOptions
  readonly #url: string
  readonly #agents = new Set<DurableAgent>()
  #producer: DurableAgent | undefined

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
      await stage.admin.query(effectsTable)
      // In a process of its own: installing may leave something running.
      const installer = await stage.start('installer')
      await installer.call('install')
      await installer.close()
      return stage
    } catch (error) {
      await stage.close()
      throw error
    }
  }

  async producer(): Promise<DurableAgent> {
    this.#producer ??= await this.start('producer')
    return this.#producer
  }

  /** A new process; one of the same name takes the place of one that ended. */
  async start(processName: string): Promise<DurableAgent> {
    const { node, subject } = this.#options
    const agent = new AgentProcess<DurableVerbs>({ script, node })
    this.#agents.add(agent)
    await agent.call('open', subject.name, this.#url, processName)
    return agent
  }

  async unfinished(): Promise<number> {
    const { rows } = await this.admin.query<{ unfinished: number }>(this.subject.unfinished)
    return rows[0]?.unfinished ?? 0
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents].map((agent) => agent.close()))
    await this.admin.end().catch(() => {})
    const { clusterUrl, database } = this.#options
    const text = `drop database if exists ${escapeIdentifier(database)} with (force)`
    await onCluster(clusterUrl, text).catch(() => {})
  }
}
