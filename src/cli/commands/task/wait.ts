import type { Command } from 'commander'
import { action } from '../../action.ts'
import { withExamples } from '../../examples.ts'
import type { Io } from '../../io.ts'
import { parseCount, parseId } from '../../parse-argument.ts'
import { printEnd } from '../../print-end.ts'
import { type TuskOptions, withEngine, withTusk } from '../../with-tusk.ts'

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
          const end = await tusk.waitForEnd(
            id,
            timeout === undefined ? {} : { timeout: timeout * 1_000 },
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
