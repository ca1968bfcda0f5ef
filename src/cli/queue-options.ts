import type { Command } from 'commander'
import type { QueueSettings } from '../client/settings.ts'
import type { Backoff } from '../engine/task.ts'
import { withoutUndefined } from '../tasks/enqueue-options.ts'
import { choice } from './choice.ts'
import { type LimitOptions, limitsOf, requireSomething, withLimits } from './limit-options.ts'
import { countOrNone, limitOrNone, type OrNone, orNull, parseSwitch } from './null-or.ts'
import { type GivenJson, parseJson } from './parse-argument.ts'

/** The settings of a queue as options of a command. */
export interface QueueOptions extends LimitOptions {
  readonly attempts?: OrNone<number>
  readonly maxPayload?: OrNone<number>
  readonly groupMaxRunning?: OrNone<number>
  readonly keepDone?: string
  readonly keepFailed?: string
  readonly keepCancelled?: string
  readonly backoff?: GivenJson
  readonly onLost?: 'retry' | 'fail'
  readonly fair?: boolean
  readonly keepsKeys?: boolean
  readonly recordsEvents?: boolean
}

export function withQueueSettings(command: Command): Command {
  return withLimits(command)
    .option('--group-max-running <count>', 'for each group without a limit of its own', limitOrNone)
    .option('--attempts <count>', 'how often its tasks are tried; none is the default', countOrNone)
    .option('--backoff <json>', `such as '{"kind": "fixed", "base": "1 minute"}'`, parseJson)
    .addOption(choice('--on-lost <rule>', 'when a worker is lost', ['retry', 'fail']))
    .option('--keep-done <interval>', 'how long tasks are kept when done')
    .option('--keep-failed <interval>', 'how long when failed')
    .option('--keep-cancelled <interval>', 'how long when cancelled')
    .option('--max-payload <bytes>', 'the largest payload', countOrNone)
    .option('--fair <on|off>', 'take from its groups in turn', parseSwitch)
    .option('--keeps-keys <on|off>', 'a key stays taken after its task has ended', parseSwitch)
    .option('--records-events <on|off>', 'record events, also while nobody follows', parseSwitch)
}

export function queueSettingsOf(options: QueueOptions): QueueSettings {
  const { backoff, onLost, fair, keepsKeys, recordsEvents } = options
  const settings = withoutUndefined({
    ...limitsOf(options),
    maxAttempts: orNull(options.attempts),
    maxPayload: orNull(options.maxPayload),
    groupMaxRunning: orNull(options.groupMaxRunning),
    keepDone: orNull(options.keepDone),
    keepFailed: orNull(options.keepFailed),
    keepCancelled: orNull(options.keepCancelled),
    // What it must look like is the engine's to say.
    backoff: backoff?.json as Backoff | null | undefined,
    ...{ onLost, isFair: fair, keepsKeys, recordsEvents },
  })
  requireSomething(settings)
  return settings
}
