import type { Command } from 'commander'
import type { QueueSettings } from '../../client/settings.ts'
import type { Backoff } from '../../engine/task.ts'
import { withoutUndefined } from '../../tasks/enqueue-options.ts'
import { choice } from './choice.ts'
import { type LimitOptions, limitsOf, requireSomething, withLimits } from './limit-options.ts'
import { type GivenJson, parseJson } from './parse-argument.ts'
import {
  noneToNull,
  parseCountOrNone,
  parseLimitOrNone,
  parseSwitch,
  type ValueOrNone,
} from './value-or-none.ts'

/** The settings of a queue as options of a command. */
export interface QueueOptions extends LimitOptions {
  readonly attempts?: ValueOrNone<number>
  readonly maxPayload?: ValueOrNone<number>
  readonly groupMaxRunning?: ValueOrNone<number>
  readonly keepDone?: string
  readonly keepFailed?: string
  readonly keepCancelled?: string
  readonly backoff?: GivenJson
  readonly onLost?: 'retry' | 'fail'
  readonly timeout?: string
  readonly sqlMaxRows?: ValueOrNone<number>
  readonly sqlMaxBytes?: ValueOrNone<number>
  readonly fair?: boolean
  readonly keepsKeys?: boolean
  readonly recordsEvents?: boolean
  readonly packs?: boolean
}

export function withQueueSettings(command: Command): Command {
  return withLimits(command)
    .option(
      '--group-max-running <count>',
      'the most running tasks of each group without its own limit',
      parseLimitOrNone,
    )
    .option(
      '--attempts <count>',
      'how often its tasks are tried; none restores the default',
      parseCountOrNone,
    )
    .option('--backoff <json>', `such as '{"kind": "fixed", "base": "1 minute"}'`, parseJson)
    .addOption(choice('--on-lost <rule>', 'when a worker is lost', ['retry', 'fail']))
    .option('--timeout <interval>', 'how long a run of a task without a timeout may take')
    .option('--sql-max-rows <count>', 'rows kept of one result of a SQL task', parseCountOrNone)
    .option('--sql-max-bytes <bytes>', 'the largest output of a SQL task', parseCountOrNone)
    .option('--keep-done <interval>', 'how long completed tasks are kept')
    .option('--keep-failed <interval>', 'how long failed tasks are kept')
    .option('--keep-cancelled <interval>', 'how long cancelled tasks are kept')
    .option('--max-payload <bytes>', 'the largest payload', parseCountOrNone)
    .option('--fair <on|off>', 'take from its groups in turn', parseSwitch)
    .option('--keeps-keys <on|off>', 'a key stays taken after its task has ended', parseSwitch)
    .option(
      '--records-events <on|off>',
      'record events, also while no client follows them',
      parseSwitch,
    )
    .option(
      '--packs <on|off>',
      'store tasks that are alike in shared rows, which is faster',
      parseSwitch,
    )
}

export function queueSettingsOf(options: QueueOptions): QueueSettings {
  const { backoff, onLost, fair, keepsKeys, recordsEvents, packs } = options
  const settings = withoutUndefined({
    ...limitsOf(options),
    maxAttempts: noneToNull(options.attempts),
    maxPayload: noneToNull(options.maxPayload),
    groupMaxRunning: noneToNull(options.groupMaxRunning),
    timeout: noneToNull(options.timeout),
    sqlMaxRows: noneToNull(options.sqlMaxRows),
    sqlMaxBytes: noneToNull(options.sqlMaxBytes),
    keepDone: noneToNull(options.keepDone),
    keepFailed: noneToNull(options.keepFailed),
    keepCancelled: noneToNull(options.keepCancelled),
    // What it must look like is the engine's to say.
    backoff: backoff?.json as Backoff | null | undefined,
    ...{ onLost, isFair: fair, keepsKeys, recordsEvents, packs },
  })
  requireSomething(settings)
  return settings
}
