import type { Command, CommanderError } from 'commander'
import { redact } from '../../lib/redact.ts'
import { hasColors, type Io, paint } from './io.ts'

/** Lets a command and all below it report to `io`, and never exit the process. */
export function connectCommands(command: Command, io: Io): void {
  command
    .showSuggestionAfterError()
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => paint(io, 'bold', title, 'stdout'),
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // It repeats what was typed, such as a connection string in the wrong place.
      outputError: (text, write) => write(redact(oneLine(text))),
      getOutHelpWidth: () => io.stdout.columns || 100,
      getErrHelpWidth: () => io.stderr.columns || 100,
      getOutHasColors: () => hasColors(io, 'stdout'),
      getErrHasColors: () => hasColors(io, 'stderr'),
    })
    .exitOverride((error: CommanderError) => {
      throw error
    })
  for (const below of command.commands) connectCommands(below, io)
}

/** Commander puts its "did you mean" on a second line. */
function oneLine(text: string): string {
  return `${text
    .trim()
    .replace(/^error: /, 'tusk: ')
    .replace(/\s*\n\s*/g, ' ')}\n`
}
