import { type Command, InvalidArgumentError } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { Json } from '../../../engine/task.ts'
import { TuskError } from '../../../lib/errors.ts'
import { asPerson } from '../../database/as-person.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseId, parseJson } from '../../options/parse-argument.ts'
import type { Screen } from '../../output/screen.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'

interface SignalOptions extends TuskOptions {
  readonly queue?: string
  readonly key?: string
  readonly keep?: string
}

export function addTaskSignal(task: Command, io: Io): void {
  const command = withEngine(task.command('signal'))
    .usage(
      '[options] <id> <name> [payload]\n       tusk task signal [options] --queue <queue> --key <key> <name> [payload]',
    )
    .description('send a signal to a task; it is kept until the task receives it')
    .argument(
      '<words...>',
      'the task (without --key), the name of the signal, and its payload as JSON, @file or @-',
    )
    .option('--queue <queue>', 'with --key: the queue of the task')
    .option('--key <key>', 'to the task with this key, now or when it is enqueued')
    .option('--keep <interval>', 'with --key: how long to keep it for a task (default: "7 days")')
    .action(
      action<SignalOptions, [string[]]>(io, (screen, options, words) => {
        const given = readWords(words, options)
        return withTusk(options, screen.io, (tusk) => send(tusk, given, screen))
      }),
    )
  withExamples(
    command,
    [`tusk task signal 42 paid '{"by": "ada"}'`],
    [`tusk task signal --queue orders --key 'order 17' paid`, 'also before the task exists'],
  )
}

interface Given {
  readonly to: string | { readonly queue: string; readonly key: string }
  readonly name: string
  readonly payload: Json
  readonly keep: string | undefined
}

/** With a key the words are name and payload; else the id comes first. */
function readWords(words: readonly string[], options: SignalOptions): Given {
  const byKey = readKey(options)
  const [name, payload, ...others] = byKey === undefined ? words.slice(1) : words
  if (name === undefined || others.length > 0) {
    throw misused(
      name === undefined
        ? 'the name of the signal is missing'
        : `unexpected argument "${others[0]}"`,
      `tusk task signal 42 paid '{"by": "ada"}', or with --queue and --key instead of the id.`,
    )
  }
  return {
    to: byKey ?? read('id', words[0] ?? '', parseId),
    name,
    payload: payload === undefined ? null : read('payload', payload, parseJson).json,
    keep: options.keep,
  }
}

function readKey({ queue, key, keep }: SignalOptions): Exclude<Given['to'], string> | undefined {
  if (key !== undefined && queue !== undefined) return { queue, key }
  if (key !== undefined) throw misused('--key needs the queue of the task', 'Name it with --queue.')
  if (queue === undefined && keep === undefined) return undefined
  throw misused('--queue and --keep go with --key', 'A task that is named by its id needs neither.')
}

/** What Commander would do for an argument that it can tell from the others. */
function read<T>(what: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw misused(`the ${what} "${text}" is invalid`, error.message)
  }
}

function misused(message: string, hint: string): TuskError {
  return new TuskError('invalid_argument', message, { hint })
}

async function send(tusk: Tusk, { to, name, payload, keep }: Given, screen: Screen): Promise<void> {
  const id = await asPerson(tusk, (on) => tusk.tasks.signal(to, name, payload, { on, keep }))
  screen.value(id, { id })
  screen.say(
    typeof to === 'string'
      ? `Signal ${name} is sent to task ${to}.`
      : `Signal ${name} is sent to key ${to.key} of queue ${to.queue}.`,
  )
}
