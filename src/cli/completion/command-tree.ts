import type { Command, Option } from 'commander'

/** What can be typed after a command, as the completion of any shell needs it. */
export interface CommandNode {
  /** The words that lead to it, joined by slashes; empty for the program. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly about: string }[]
  readonly options: readonly OptionNode[]
  /** The values of its first argument, if they are known. */
  readonly values: readonly string[]
  /** Its first argument is a queue, whose name `tusk completion queues` knows. */
  readonly takesQueue: boolean
}

export interface OptionNode {
  readonly long: string
  readonly short: string | undefined
  readonly about: string
  readonly takesValue: boolean
  readonly takesQueue: boolean
  readonly values: readonly string[]
}

/** Every command below this one, itself first. Options of the program hold everywhere. */
export function commandTree(program: Command, path = ''): CommandNode[] {
  const below = program.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
  }))
  const node = {
    path,
    commands: below,
    options: program.options.filter(({ hidden }) => !hidden).map(optionNode),
    values: program.registeredArguments[0]?.argChoices ?? [],
    takesQueue: program.registeredArguments[0]?.name() === 'queue',
  }
  const rest = program.commands.flatMap((command) =>
    commandTree(command, path === '' ? command.name() : `${path}/${command.name()}`),
  )
  return [node, ...rest]
}

function optionNode(option: Option): OptionNode {
  return {
    long: option.long ?? option.short ?? '',
    short: option.long === undefined ? undefined : option.short,
    about: option.description,
    takesValue: option.required || option.optional,
    takesQueue: option.long === '--queue',
    values: option.argChoices ?? [],
  }
}
