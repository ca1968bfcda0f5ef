import { Command } from 'commander'
import { configOf } from '../config/configure.ts'
import { describeConfig, type ShownSetting } from '../config/describe-config.ts'
import { give, type Io, say } from '../io.ts'
import { table } from '../table.ts'

/** `tusk config`: what is configured, and by whom. */
export function configCommand(io: Io): Command {
  const command = new Command('config').description('Show the configuration')
  command
    .command('show')
    .description('print every setting with its value and where that comes from')
    .option('--json', 'as JSON instead of a table')
    .addHelpText(
      'after',
      '\nExamples:\n  $ tusk config show\n  $ TUSK_HTTP_PORT=9000 tusk --config prod.json config show --json',
    )
    .action((options: { json?: true }, show: Command) => print(show, options.json ?? false, io))
  return command
}

async function print(command: Command, asJson: boolean, io: Io): Promise<void> {
  const config = await configOf(command, io)
  say(io, config.file === undefined ? 'No configuration file.' : `Read ${config.file}.`)
  const shown = describeConfig(config)
  if (asJson) give(io, JSON.stringify(shown, undefined, 2))
  else for (const line of asTable(shown)) give(io, line)
}

function asTable(shown: readonly ShownSetting[]): string[] {
  return table(
    [{ name: 'setting' }, { name: 'value' }, { name: 'source' }],
    shown.map(({ name, value, source }) => [name, inShort(value), source]),
  )
}

function inShort(value: unknown): string {
  if (value === null) return '-'
  return typeof value === 'string' ? value || '""' : JSON.stringify(value)
}
