import { Argument, Command } from 'commander'
import { bashCompletion } from '../completion/bash.ts'
import { type CommandNode, commandTree } from '../completion/command-tree.ts'
import { fishCompletion } from '../completion/fish.ts'
import { queueNames } from '../completion/queue-names.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { runningDatabaseUrl } from '../database/running-database.ts'
import { type TuskOptions, withEngine } from '../database/with-tusk.ts'
import { oneOf } from '../options/choice.ts'
import { withExamples } from '../options/examples.ts'
import { give, type Io } from '../process/io.ts'
import { action } from './action.ts'

type Shell = 'bash' | 'zsh' | 'fish'

const scripts: Readonly<Record<Shell, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** `tusk completion`: what a shell needs to know of all commands. */
export function completionCommand(io: Io): Command {
  const shells = Object.keys(scripts)
  const command = new Command('completion')
    .description('Print a script that completes commands, options and their values')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells).argParser(oneOf(shells)))
    .action((shell: Shell, _: unknown, self: Command) => {
      io.stdout.write(scripts[shell](commandTree(self.parent ?? self)))
    })
  addQueues(command, io)
  return withExamples(
    command,
    ['source <(tusk completion bash)', 'or add this line to ~/.bashrc'],
    ['source <(tusk completion zsh)', 'in ~/.zshrc, after compinit'],
    ['tusk completion fish | source', 'in ~/.config/fish/config.fish'],
  )
}

/** What the scripts ask for: a database that does not answer at once has no names to offer. */
function addQueues(completion: Command, io: Io): void {
  const command = withEngine(completion.command('queues'))
    .description('print the names of the queues, one per line, for the scripts')
    .action(
      action<TuskOptions>(io, async (screen, options) => {
        const schema = options.schema ?? (io.env['TUSK_SCHEMA'] || 'tusk')
        const names = await queueNames(await runningDatabaseUrl(options, io), schema)
        for (const name of names) give(screen.io, name)
      }),
    )
  withExamples(command, ['tusk completion queues'])
}
