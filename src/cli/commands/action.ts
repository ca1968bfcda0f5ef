import type { Command } from 'commander'
import { Screen, type ScreenOptions } from '../output/screen.ts'
import type { Io } from '../process/io.ts'

type Work<Options, Args extends readonly unknown[]> = (
  screen: Screen,
  options: Options,
  ...args: Args
) => Promise<void>

/**
 * What a command does, given its arguments, its options with those of the whole program, and a screen
 * that heeds them.
 */
export function action<Options extends object, Args extends readonly unknown[] = []>(
  io: Io,
  work: Work<Options, Args>,
): (...given: unknown[]) => Promise<void> {
  return (...given) => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & ScreenOptions>()
    const args = given.slice(0, -2) as unknown as Args
    return work(new Screen(io, options), options, ...args)
  }
}
