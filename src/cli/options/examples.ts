import type { Command } from 'commander'

type Example = readonly [line: string, about?: string]

const shown = new WeakMap<Command, readonly Example[]>()

/** Ends the help of a command with lines to try. */
export function withExamples<C extends Command>(command: C, ...examples: readonly Example[]): C {
  shown.set(command, examples)
  const width = Math.max(...examples.map(([line]) => line.length))
  const lines = examples.map(([line, about]) =>
    about === undefined ? `  ${line}` : `  ${line.padEnd(width)}  # ${about}`,
  )
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  return command
}

/** The lines that the help of a command shows. */
export function examplesOf(command: Command): readonly string[] {
  return (shown.get(command) ?? []).map(([line]) => line)
}
