import type { StrategyKind } from '../engine/leading.ts'
import { type Duration, toMilliseconds } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import type { Chore } from './chore.ts'

/** Where a worker runs: on a developer's machine, in production, or among very many workers. */
export type Environment = 'development' | 'production' | 'fleet'

/** How a worker takes part in the chores. */
export interface ChoreOptions {
  /** Chores of your own, beside the built-in ones; see defineChore(). */
  readonly chores?: readonly Chore[]
  /**
   * Chooses the strategies: `all` in development; in production `lease`, and `all` for `rescue`; in a
   * fleet `lease` with rotation, and `skip-locked` for what comes in batches. Development when NODE_ENV
   * says so, else production.
   */
  readonly environment?: Environment
  /** The strategy of every chore that does not have one of its own. */
  readonly strategy?: StrategyKind
  /** The strategy of single chores, by name; it wins over everything else. */
  readonly strategies?: Readonly<Record<string, StrategyKind>>
  /** `false`: leaves leading to other workers. */
  readonly mayLead?: boolean
  /** How long leadership lasts without being renewed; by default 10 s, less if tasks are claimed for less than 15 s. */
  readonly ttlMs?: Duration
  /** How often it is renewed; by default a fifth of that. */
  readonly renewMs?: Duration
  /** After how long another worker gets its turn; `false` for never. A minute in a fleet, else never. */
  readonly rotateMs?: Duration | false
}

/** The options with everything decided. */
export interface ChoreSettings {
  readonly own: readonly Chore[]
  readonly strategyOf: (chore: Chore) => StrategyKind
  readonly mayLead: boolean
  readonly ttlMs: number
  readonly renewMs: number
  readonly rotateMs: number | null
}

const kinds: readonly StrategyKind[] = ['all', 'skip-locked', 'advisory', 'lease']
const environments: readonly Environment[] = ['development', 'production', 'fleet']
/** What takes single rows from many, so that very many workers can share it. */
const inBatches = new Set(['rescue', 'expire'])
/** What must not wait for a leader: it may be frozen together with those whose tasks are to be rescued. */
const byEveryWorker = new Set(['rescue'])
const longestTtlMs = 10_000
const aDayMs = 86_400_000

/** Decides everything; null when the worker does no chores. */
export function resolveChoreSettings(
  given: boolean | ChoreOptions | undefined,
  leaseMs: number,
): ChoreSettings | null {
  if (given === false) return null
  const options = typeof given === 'object' ? given : {}
  const environment = options.environment ?? environmentOfProcess()
  requireKnown(options, environment)
  return {
    own: options.chores ?? [],
    strategyOf: (chore) =>
      options.strategies?.[chore.name] ??
      chore.strategy ??
      options.strategy ??
      strategyIn(environment, chore),
    mayLead: options.mayLead ?? true,
    ...resolveTimes(options, environment, leaseMs),
  }
}

function requireKnown(options: ChoreOptions, environment: Environment): void {
  requireOneOf('environment', environment, environments)
  const given = [options.strategy, ...Object.values(options.strategies ?? {})]
  for (const kind of [...given, ...(options.chores ?? []).map(({ strategy }) => strategy)]) {
    if (kind !== undefined) requireOneOf('strategy', kind, kinds)
  }
}

function resolveTimes(options: ChoreOptions, environment: Environment, leaseMs: number) {
  const usualTtlMs = Math.min(longestTtlMs, Math.max(1_000, (leaseMs * 2) / 3))
  const ttlMs = toMilliseconds('ttlMs', options.ttlMs ?? usualTtlMs)
  const renewMs = toMilliseconds('renewMs', options.renewMs ?? ttlMs / 5)
  const rotate = options.rotateMs ?? (environment === 'fleet' ? 60_000 : false)
  const rotateMs = rotate === false ? false : toMilliseconds('rotateMs', rotate)
  if (!(ttlMs >= 100 && ttlMs <= aDayMs)) {
    throw invalid(`ttlMs cannot be ${ttlMs}`, 'Give a number from 100 to 86,400,000, a day.')
  }
  if (!(renewMs > 0 && renewMs <= ttlMs / 2)) {
    throw invalid(`renewMs cannot be ${renewMs}`, 'Renew at least twice in the time of `ttlMs`.')
  }
  if (rotateMs !== false && !(rotateMs > 0)) {
    throw invalid(`rotateMs cannot be ${rotateMs}`, 'Give a time, or false for no rotation.')
  }
  return { ttlMs, renewMs, rotateMs: rotateMs === false ? null : rotateMs }
}

function strategyIn(environment: Environment, { name }: Chore): StrategyKind {
  if (environment === 'development') return 'all'
  if (environment === 'fleet' && inBatches.has(name)) return 'skip-locked'
  return byEveryWorker.has(name) ? 'all' : 'lease'
}

function environmentOfProcess(): Environment {
  return process.env['NODE_ENV'] === 'development' ? 'development' : 'production'
}

function requireOneOf(option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return
  throw invalid(`there is no ${option} ${value}`, `Use one of ${known.join(', ')}.`)
}

function invalid(message: string, hint: string): TuskError {
  return new TuskError('invalid_argument', message, { hint })
}
