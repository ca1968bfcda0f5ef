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
    .option('-q, --quiet', 'print errors only')
    .option('--no-color', 'print no colours, like the variable NO_COLOR')
}
