import type { Command } from 'commander'
import { TuskError } from '../../lib/errors.ts'
import type { Screen } from '../output/screen.ts'
import { Exit, exitCode } from '../process/exit-code.ts'

export interface ConfirmOptions {
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** The options of every command that destroys something. */
export function withConfirmation(command: Command): Command {
  return command
    .option('--dry-run', 'show what would be changed, and change nothing')
    .option('-y, --yes', 'do not ask')
}

/**
 * Asks before something is destroyed: the person on a terminal; elsewhere `--yes` must have been said.
 * Returns when it may be done.
 *
 * @param deed what happens, as the end of "This …", such as `deletes 12 tasks`
 */
export async function confirm(screen: Screen, deed: string, { yes }: ConfirmOptions) {
  if (yes) return
  if (screen.io.ask === undefined) {
    throw new TuskError(
      'invalid_argument',
      `this ${deed}, and there is no terminal to ask for confirmation`,
      {
        hint: 'Add --yes to confirm it, or --dry-run to see what would happen.',
      },
    )
  }
  const answer = await screen.io.ask(`This ${deed}. Go on? [y/N] `)
  if (/^y(es)?$/i.test(answer.trim())) return
  screen.say('Nothing was changed.')
  throw new Exit(exitCode.failure)
}
