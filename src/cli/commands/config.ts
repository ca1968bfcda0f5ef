import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import { describeConfig, type ShownSetting } from '../config/describe-config.ts'
import { withExamples } from '../options/examples.ts'
import type { Column, Screen } from '../output/screen.ts'
import type { Io } from '../process/io.ts'

/** `tusk config`: what is configured, and by whom. */
export function configCommand(io: Io): Command {
  const command = new Command('config').description('Show the configuration')
  withExamples(
    command.command('show'),
    ['tusk config show', 'every setting, its value and who said it'],
    ['tusk --config prod.json config show -o json'],
  )
    .description('print every setting with its value and its source')
    .action(configuredAction(io, show))
  return command
}

async function show(screen: Screen, config: Config): Promise<void> {
  screen.say(config.file === undefined ? 'No configuration file.' : `Read ${config.file}.`)
  screen.list(describeConfig(config), columns)
}

const columns: readonly Column<ShownSetting>[] = [
  { name: 'setting', of: ({ name }) => name },
  { name: 'value', of: ({ value }) => inShort(value) },
  {
    name: 'source',
    of: ({ source }) => source,
    style: ({ source }) => (source === 'default' ? 'dim' : undefined),
  },
]

function inShort(value: unknown): string {
  if (value === null) return '-'
  return typeof value === 'string' ? value || '""' : JSON.stringify(value)
}
