import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { LogLine } from '../../../engine/looking.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseId } from '../../options/parse-argument.ts'
import type { Screen } from '../../output/screen.ts'
import type { Io } from '../../process/io.ts'
import { visible } from '../../process/visible.ts'
import { action } from '../action.ts'
import { followTask } from './follow.ts'
import { notFound } from './show.ts'

interface LogsOptions extends TuskOptions {
  readonly follow?: boolean
}

export function addTaskLogs(task: Command, io: Io): void {
  const command = withEngine(task.command('logs'))
    .description('print the lines that a task wrote while it ran')
    .argument('<id>', 'the task', parseId)
    .option('-f, --follow', 'go on until it has ended, or until Ctrl-C')
    .action(
      action<LogsOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, (tusk) =>
          options.follow ? follow(tusk, id, screen) : print(tusk, id, screen),
        ),
      ),
    )
  withExamples(command, ['tusk task logs 42 -f'], ['tusk task logs 42 -o jsonl'])
}

async function print(tusk: Tusk, id: string, screen: Screen): Promise<void> {
  const lines = await tusk.tasks.logs(id)
  if (lines.length === 0 && (await tusk.tasks.get(id)) === null) throw notFound(id)
  if (!screen.isForPeople) return screen.list(lines, [])
  if (lines.length === 0) screen.say('The task has written no lines.')
  for (const [at, line] of lines.entries()) screen.next(line, () => described(line), at === 0)
}

async function follow(tusk: Tusk, id: string, screen: Screen): Promise<void> {
  let after: string | undefined
  await followTask(tusk, id, screen, async () => {
    for (const line of await tusk.tasks.logs(id, { after })) {
      screen.next(line, () => described(line), after === undefined)
      after = line.id
    }
  })
}

function described({ at, level, message, attempt }: LogLine): string {
  return `${at.toISOString()} ${level.padEnd(5)} [${attempt}] ${visible(message)}`
}
