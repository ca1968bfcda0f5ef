import type { ChoreOptions } from '../chores/settings.ts'
import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
import type { WorkerOptions } from './options.ts'
import type { PushOptions } from './push-options.ts'
import type { SqlOptions } from './sql-options.ts'

const workerOptions: KnownOptions<WorkerOptions> = {
  database: true,
  tasks: true,
  sql: true,
  push: true,
  schema: true,
  queues: true,
  order: true,
  concurrency: true,
  buffer: true,
  timeoutMs: true,
  leaseMs: true,
  maxBlockMs: true,
  transactionIdleMs: true,
  listen: true,
  pollMs: true,
  deadlineMs: true,
  graceMs: true,
  signals: true,
  chores: true,
  schedules: true,
  middleware: true,
  logger: true,
  completedLevel: true,
  listeners: true,
}

const sqlOptions: KnownOptions<SqlOptions> = {
  concurrency: true,
  database: true,
  logins: true,
  connections: true,
  secretVariables: true,
  secretFolders: true,
  secretHosts: true,
  allowConnectionStrings: true,
  maxRows: true,
  maxBytes: true,
  idleMs: true,
  graceMs: true,
}

const pushOptions: KnownOptions<PushOptions> = {
  ports: true,
  allow: true,
  secrets: true,
  secretVariables: true,
  secretFolders: true,
  maxBytes: true,
}

const choreOptions: KnownOptions<ChoreOptions> = {
  chores: true,
  environment: true,
  strategy: true,
  strategies: true,
  mayLead: true,
  ttlMs: true,
  renewMs: true,
  rotateMs: true,
}

/** Refuses options of a worker that do not exist. */
export function requireWorkerOptions(options: WorkerOptions): void {
  requireOptions('startWorker()', options, workerOptions)
  const { sql, push, chores } = options
  if (typeof push === 'object') requireOptions('the push of startWorker()', push, pushOptions)
  if (typeof sql === 'object') requireOptions('the sql of startWorker()', sql, sqlOptions)
  if (typeof chores === 'object')
    requireOptions('the chores of startWorker()', chores, choreOptions)
}
