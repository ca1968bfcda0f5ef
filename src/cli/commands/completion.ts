import { Argument, Command } from 'commander'
import { oneOf } from '../choice.ts'
import { bashCompletion } from '../completion/bash.ts'
import { type CommandNode, commandTree } from '../completion/command-tree.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import { withExamples } from '../examples.ts'
import type { Io } from '../io.ts'

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
  return withExamples(
    command,
    ['source <(tusk completion bash)', 'or add this line to ~/.bashrc'],
    ['source <(tusk completion zsh)', 'in ~/.zshrc, after compinit'],
    ['tusk completion fish | source', 'in ~/.config/fish/config.fish'],
  )
}
