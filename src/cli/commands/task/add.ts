import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { AfterFailure, OnDuplicate, TaskKind } from '../../../engine/task.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { choice } from '../../options/choice.ts'
import { withExamples } from '../../options/examples.ts'
import {
  collectValues,
  type GivenJson,
  parseCount,
  parseId,
  parseJson,
  parseTime,
  parseWhole,
} from '../../options/parse-argument.ts'
import { printEnd } from '../../output/print-end.ts'
import type { Screen } from '../../output/screen.ts'
import { waitAloud } from '../../output/wait-aloud.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'

interface AddOptions extends TuskOptions {
  readonly payload?: GivenJson
  readonly handler?: string
  readonly kind?: TaskKind
  readonly at?: Date
  readonly delay?: string
  readonly priority?: number
  readonly key?: string
  readonly onDuplicate?: OnDuplicate
  readonly window?: string
  readonly group?: readonly string[]
  readonly tag?: readonly string[]
  readonly attempts?: number
  readonly timeout?: string
  readonly deadline?: Date
  readonly retention?: string
  readonly parent?: string
  readonly after?: readonly string[]
  readonly afterFailure?: AfterFailure
  readonly wait?: true | number
}

export function addTaskAdd(task: Command, io: Io): void {
  const command = withEngine(task.command('add <queue>'))
    .description('enqueue a task and print its id')
    .option('--payload <json>', 'its data; @file reads a file, @- reads standard input', parseJson)
    .option('--handler <name>', 'the code that runs it (default: the name of the queue)')
    .addOption(choice('--kind <kind>', 'what kind of task it is', ['handler', 'sql', 'document']))
    .option('--at <time>', 'do not start before this time', parseTime)
    .option('--delay <interval>', 'start this long from now, such as "5 minutes"')
    .option('--priority <number>', 'higher priorities first', parseWhole)
  withSharing(command)
    .option(
      '--attempts <count>',
      'how often it is tried (default: the setting of its queue)',
      parseCount,
    )
    .option('--timeout <interval>', 'how long one attempt may run')
    .option('--deadline <time>', 'do not start after this time', parseTime)
    .option('--retention <interval>', 'how long it is kept after its end')
    .option('--parent <id>', 'the task that this one belongs to', parseId)
    .option('--after <id>', 'start after this task has ended; may be repeated', collectValues)
    .addOption(
      choice('--after-failure <rule>', 'what to do if one of them fails (default: fail)', [
        'fail',
        'skip',
        'run',
      ]),
    )
    .option('--wait [seconds]', 'wait until it has ended and print its output', parseCount)
    .action(
      action<AddOptions, [string]>(io, (screen, options, queue) =>
        withTusk(options, screen.io, (tusk) => add(tusk, queue, options, screen)),
      ),
    )
  withExamples(
    command,
    [`tusk task add mail --payload '{"to": "ada"}'`],
    [`tusk task add mail --payload @mail.json --delay '1 hour' --key 'ada daily'`],
    [`tusk task add reports --group 'customer 42' --attempts 3 --wait 60`],
  )
}

function withSharing(command: Command): Command {
  return command
    .option('--key <key>', 'at most one live task per queue and key')
    .addOption(
      choice('--on-duplicate <rule>', 'what happens if the key is taken (default: keep)', [
        'keep',
        'replace',
        'debounce',
        'throttle',
      ]),
    )
    .option(
      '--window <interval>',
      'how long debounce waits, and how long throttle ignores other tasks',
    )
    .option('--group <name>', 'a group whose limits it shares; may be repeated', collectValues)
    .option('--tag <name>', 'a tag; may be repeated', collectValues)
}

async function add(tusk: Tusk, queue: string, options: AddOptions, screen: Screen): Promise<void> {
  const { at, group, tag, attempts, wait } = options
  const { payload, handler, kind, delay, priority, key, onDuplicate, window } = options
  const { timeout, deadline, retention, parent, after, afterFailure } = options
  const { id, outcome } = await tusk.enqueueTask({
    ...{ queue, payload: payload?.json, handler, kind, delay, priority, key, onDuplicate, window },
    ...{ timeout, deadline, retention, parent, after, afterFailure },
    ...{ runAt: at, groups: group, tags: tag, maxAttempts: attempts },
  })
  if (wait !== undefined) {
    screen.say(`Task ${id}`)
    const end = await waitAloud(tusk, id, wait === true ? undefined : wait * 1_000, screen)
    return printEnd(screen, id, end)
  }
  screen.value(id, { id, outcome })
  if (outcome !== 'created') screen.say(`The key is taken: task ${id} was ${outcome}.`)
}
