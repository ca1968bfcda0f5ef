import type { Command } from 'commander'
import type { QueueSettings } from '../client/settings.ts'
import type { Backoff } from '../engine/task.ts'
import { choice } from './choice.ts'
import { type LimitOptions, limitsOf, requireSomething, withLimits } from './limit-options.ts'
import { countOrNone, limitOrNone, parseSwitch, textOrNone } from './null-or.ts'
import { parseJson } from './parse-argument.ts'

/** The settings of a queue as options of a command. */
export interface QueueOptions extends LimitOptions {
  readonly attempts?: number | null
  readonly maxPayload?: number | null
  readonly groupMaxRunning?: number | null
  readonly keepDone?: string | null
  readonly keepFailed?: string | null
  readonly keepCancelled?: string | null
  readonly backoff?: Backoff | null
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
    .option('--keep-done <interval>', 'how long tasks are kept when done', textOrNone)
    .option('--keep-failed <interval>', 'how long when failed', textOrNone)
    .option('--keep-cancelled <interval>', 'how long when cancelled', textOrNone)
    .option('--max-payload <bytes>', 'the largest payload', countOrNone)
    .option('--fair <on|off>', 'take from its groups in turn', parseSwitch)
    .option('--keeps-keys <on|off>', 'a key stays taken after its task has ended', parseSwitch)
    .option('--records-events <on|off>', 'record events, also while nobody follows', parseSwitch)
}

export function queueSettingsOf(options: QueueOptions): QueueSettings {
  const { attempts, maxPayload, groupMaxRunning, keepDone, keepFailed, keepCancelled } = options
  const { backoff, onLost, fair, keepsKeys, recordsEvents } = options
  const all = {
    ...limitsOf(options),
    ...{ maxAttempts: attempts, maxPayload, groupMaxRunning, keepDone, keepFailed, keepCancelled },
    ...{ backoff, onLost, isFair: fair, keepsKeys, recordsEvents },
  }
  const said = Object.entries(all).filter(([, value]) => value !== undefined)
  const settings: QueueSettings = Object.fromEntries(said)
  requireSomething(settings)
  return settings
}
