import type { Command } from 'commander'
import { outputFormats } from '../output/format.ts'
import { choice } from './choice.ts'

/** What every command understands, before or after its name. */
export function addGlobalOptions(program: Command): Command {
  return program
    .addOption(
      choice(
        '-o, --output <format>',
        'how data is printed (default: a table on a terminal, else JSON)',
        outputFormats,
      ),
    )
    .option('-q, --quiet', 'say nothing but what went wrong')
    .option('--no-color', 'no colours; the variable NO_COLOR says the same')
}
