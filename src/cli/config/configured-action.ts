import type { Command } from 'commander'
import { Screen, type ScreenOptions } from '../output/screen.ts'
import type { Io } from '../process/io.ts'
import type { Config } from './config.ts'
import { configOf } from './configure.ts'

type Work<Options, Args extends readonly unknown[]> = (
  screen: Screen,
  config: Config,
  options: Options,
  ...args: Args
) => Promise<void>

/** As action(), for commands that are steered by settings rather than by options alone. */
export function configuredAction<Options extends object, Args extends readonly unknown[] = []>(
  io: Io,
  work: Work<Options, Args>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & ScreenOptions>()
    const args = given.slice(0, -2) as unknown as Args
    return work(new Screen(io, options), await configOf(command, io), options, ...args)
  }
}
