import type { Command } from 'commander'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseCount, parseId } from '../../options/parse-argument.ts'
import { printEnd } from '../../output/print-end.ts'
import { waitAloud } from '../../output/wait-aloud.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'

interface WaitOptions extends TuskOptions {
  readonly timeout?: number
}

export function addTaskWait(task: Command, io: Io): void {
  const command = withEngine(task.command('wait'))
    .description('wait until a task has ended and print its output; exits with 5 if it failed')
    .argument('<id>', 'the task', parseId)
    .option('--timeout <seconds>', 'how long; then it exits with 124', parseCount)
    .action(
      action<WaitOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, async (tusk) => {
          const { timeout } = options
          const end = await waitAloud(
            tusk,
            id,
            timeout === undefined ? undefined : timeout * 1_000,
            screen,
          )
          printEnd(screen, id, end)
        }),
      ),
    )
  withExamples(
    command,
    ['tusk task wait 42', 'as long as it takes'],
    ['tusk task wait 42 --timeout 60 -o json'],
  )
}
