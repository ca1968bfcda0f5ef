import type { TuskAudit } from './audit.ts'
import type { TuskChores } from './chores.ts'
import type { TuskClaims } from './claims.ts'
import type { TuskEvents } from './events.ts'
import type { TuskGrants } from './grants.ts'
import type { TuskGroups } from './groups.ts'
import { type NounOptions, on, refusingUnknown } from './known-options.ts'
import type { TuskOperations } from './operations.ts'
import type { TuskQueues } from './queues.ts'
import type { TuskSchedules } from './schedules.ts'
import type { TuskTasks } from './tasks.ts'
import type { TuskTokens } from './tokens.ts'
import type { TuskWorkers } from './workers.ts'

/** The options of every method of the client: their place among the arguments, and their names. */
interface Nouns {
  readonly tasks: TuskTasks
  readonly claims: TuskClaims
  readonly queues: TuskQueues
  readonly groups: TuskGroups
  readonly schedules: TuskSchedules<readonly []>
  readonly operations: TuskOperations
  readonly workers: TuskWorkers
  readonly chores: TuskChores
  readonly events: TuskEvents
  readonly tokens: TuskTokens
  readonly grants: TuskGrants
  readonly audit: TuskAudit
}

const nounOptions: { readonly [Name in keyof Nouns]: NounOptions<Nouns[Name]> } = {
  tasks: {
    get: { 1: on },
    list: { 1: { ...on, before: true, limit: true, within: true } },
    count: { 1: { ...on, cap: true, within: true } },
    explain: { 1: on },
    attempts: { 1: on },
    logs: { 1: { ...on, after: true } },
    errorGroups: { 0: { ...on, since: true, queue: true, limit: true } },
    cancel: { 1: on },
    cancelMany: { 1: on },
    kill: { 1: { ...on, error: true } },
    retry: { 1: { ...on, runAt: true, payload: true, from: true } },
    signal: { 3: { ...on, keep: true } },
    steps: { 1: on },
    family: { 1: { ...on, limit: true } },
    dependencies: { 1: { ...on, limit: true } },
    chunks: { 1: { ...on, after: true, limit: true } },
    move: { 2: on },
    amend: { 2: on },
    delete: { 1: on },
    deleteMany: { 1: on },
  },
  claims: {
    claim: {
      1: { ...on, limit: true, lease: true, kinds: true, versions: true, worker: true },
    },
    extend: { 2: on },
    complete: { 2: on },
    completeMany: { 1: { ...on, outputs: true } },
    fail: { 2: { ...on, delay: true, retry: true } },
    reject: { 2: { ...on, delay: true } },
    kill: { 2: on },
    reschedule: { 2: { ...on, payload: true } },
    release: { 1: on },
  },
  queues: {
    set: { 2: on },
    setPush: { 2: on },
    pushes: { 0: on },
    explain: { 1: on },
    pause: { 1: on },
    resume: { 1: on },
    stats: { 0: on },
    totals: { 0: on },
    handlerStats: { 0: { ...on, since: true, queue: true, limit: true } },
    settings: { 1: on },
    series: { 0: { ...on, queue: true, from: true, to: true, width: true } },
  },
  groups: { set: { 2: on }, pause: { 1: on }, resume: { 1: on }, stats: { 0: on } },
  schedules: {
    set: { 2: on },
    apply: { 1: { ...on, prune: true } },
    list: { 0: on },
    get: { 1: on },
    occurrences: { 1: { ...on, before: true, outcome: true, limit: true } },
    pause: { 1: on },
    resume: { 1: on },
    run: { 1: on },
    preview: { 1: { ...on, count: true, from: true } },
    backfill: { 3: { ...on, limit: true } },
    delete: { 1: on },
  },
  operations: {
    start: { 1: { ...on, limit: true, signal: true } },
    count: { 1: { ...on, cap: true, within: true } },
    get: { 1: on },
    list: { 0: { ...on, before: true, limit: true } },
    cancel: { 1: on },
  },
  workers: { list: { 0: on }, drain: { 1: on } },
  chores: { list: { 0: on }, leaders: { 0: on }, resign: { 1: on } },
  events: { follow: { 1: on }, list: { 0: { ...on, after: true, limit: true, queue: true } } },
  tokens: {
    create: { 1: on },
    list: { 0: on },
    exist: { 0: on },
    revoke: { 1: { ...on, keepSchedules: true } },
    find: { 1: on },
  },
  grants: { give: { 3: on }, revoke: { 3: on }, open: { 1: on }, list: { 0: on } },
  audit: {
    list: { 0: { ...on, before: true, limit: true, actor: true, action: true, object: true } },
  },
}

/** Wraps one part of the client so that its methods reject options that do not exist. */
export function checked<Noun extends object>(name: keyof Nouns, noun: Noun): Noun {
  return refusingUnknown(`tusk.${name}`, noun, nounOptions[name] as NounOptions<Noun>)
}
