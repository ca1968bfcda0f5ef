import type { Command } from 'commander'
import type { Limits } from '../../client/settings.ts'
import { TuskError } from '../../lib/errors.ts'
import { withoutUndefined } from '../../tasks/enqueue-options.ts'
import { choice } from './choice.ts'
import {
  noneToNull,
  parseCountOrNone,
  parseLimitOrNone,
  type ValueOrNone,
} from './value-or-none.ts'

/** The limits of a queue or a group as options of a command; `none` lifts one. */
export interface LimitOptions {
  readonly maxRunning?: ValueOrNone<number>
  readonly gap?: string
  readonly gapFrom?: 'start' | 'end'
  readonly rate?: ValueOrNone<number>
  readonly rateWindow?: string
}

export function withLimits(command: Command): Command {
  return command
    .option(
      '--max-running <count>',
      'the most tasks that run at once; none removes the limit',
      parseLimitOrNone,
    )
    .option('--gap <interval>', 'the least time between two starts; none removes it')
    .addOption(
      choice('--gap-from <event>', 'the gap counts from a start or an end', ['start', 'end']),
    )
    .option(
      '--rate <count>',
      'the most starts per window; none removes the limit',
      parseCountOrNone,
    )
    .option('--rate-window <interval>', 'the window of the rate, such as "1 minute"')
}

export function limitsOf(options: LimitOptions): Limits {
  const { gapFrom } = options
  const rate = noneToNull(options.rate)
  // A rate that is lifted needs no window.
  const rateWindow = noneToNull(options.rateWindow) ?? (rate === null ? null : undefined)
  const all = { maxRunning: noneToNull(options.maxRunning), gap: noneToNull(options.gap), gapFrom }
  return withoutUndefined({ ...all, rate, rateWindow })
}

/** A command that sets needs at least one setting. */
export function requireSomething(settings: object): void {
  if (Object.keys(settings).length > 0) return
  throw new TuskError('invalid_argument', 'no setting is given', {
    hint: 'Give one, for example --max-running 10. --help lists all.',
  })
}
