import type { Command } from 'commander'
import { TuskError } from '../lib/errors.ts'
import { choice } from './choice.ts'
import { countOrNone, limitOrNone, textOrNone } from './null-or.ts'

/** The limits of a queue or a group as options of a command; `none` lifts one. */
export interface LimitOptions {
  readonly maxRunning?: number | null
  readonly gap?: string | null
  readonly gapFrom?: 'start' | 'end'
  readonly rate?: number | null
  readonly rateWindow?: string | null
}

export function withLimits(command: Command): Command {
  return command
    .option('--max-running <count>', 'at most so many run at once; none lifts it', limitOrNone)
    .option('--gap <interval>', 'at least so long between two starts; none lifts it', textOrNone)
    .addOption(
      choice('--gap-from <event>', 'the gap counts from a start or an end', ['start', 'end']),
    )
    .option('--rate <count>', 'at most so many starts per window; none lifts it', countOrNone)
    .option('--rate-window <interval>', 'the window of the rate, such as "1 minute"', textOrNone)
}

export function limitsOf(options: LimitOptions): LimitOptions {
  const { maxRunning, gap, gapFrom, rate, rateWindow } = options
  return {
    ...(maxRunning === undefined ? {} : { maxRunning }),
    ...(gap === undefined ? {} : { gap }),
    ...(gapFrom === undefined ? {} : { gapFrom }),
    ...(rate === undefined ? {} : { rate }),
    // A rate that is lifted needs no window.
    ...(rateWindow === undefined ? (rate === null ? { rateWindow: null } : {}) : { rateWindow }),
  }
}

/** A command that sets must be told what. */
export function requireSomething(settings: object): void {
  if (Object.keys(settings).length > 0) return
  throw new TuskError('invalid_argument', 'nothing is to be set', {
    hint: 'Say what, for example --max-running 10; --help lists all.',
  })
}
