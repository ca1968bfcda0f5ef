import { Command } from 'commander'
import { TuskError } from '../../lib/errors.ts'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import { type TuskOptions, withEngine } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { parseCount } from '../options/parse-argument.ts'
import type { Screen } from '../output/screen.ts'
import { type Io, say } from '../process/io.ts'
import { openWork, untilIdle } from '../serving/open-work.ts'
import { withLog } from '../serving/server-options.ts'
import { keepAliveUntil, Services } from '../serving/services.ts'
import { watchWork } from '../serving/watch-work.ts'

interface Options extends TuskOptions {
  readonly once?: true
  readonly watch?: true
}

/** `tusk work`: a worker for the handlers of a module. */
export function workCommand(io: Io): Command {
  const command = withExamples(
    new Command('work'),
    ['tusk work ./tasks.mjs'],
    ['tusk work ./tasks.mjs --queues mail,reports --concurrency 20'],
    ['tusk work ./tasks.ts --watch', 'restart on change; TypeScript needs Node 22.18'],
    ['tusk work ./tasks.mjs --once', 'run what is due, then stop'],
    ['tusk work --sql', 'SQL tasks alone'],
  )
  return withLog(withEngine(command))
    .description('Run tasks with the handlers of a module until stopped; changes no schema')
    .argument(
      '[module]',
      'module whose exports are the handlers (default: worker.handlers of the configuration)',
    )
    .option(
      '--queues <names>',
      'queues to serve, separated by commas (default: those of its tasks)',
      names,
    )
    .option('--concurrency <count>', 'tasks that run at once (default: 10)', parseCount)
    .option('--sql', 'run SQL tasks too')
    .option('--allow-remote', 'with --sql: allow tasks to bring their own connection string')
    .option('--push', 'deliver tasks to the endpoints of their queues, and run nothing else')
    .option('--chores', 'take part in housekeeping and schedules (default)')
    .option('--no-chores', 'leave housekeeping and schedules to other workers')
    .option('--once', 'run what is due, then stop')
    .option('--watch', 'restart when the module, or one that it imports, changes')
    .action(configuredAction(io, work))
}

/** A list of names, parted by commas. */
export function names(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}

async function work(
  screen: Screen,
  config: Config,
  options: Options,
  module: string | undefined,
): Promise<void> {
  const { io } = screen
  if (options.watch) return watch(options, io)
  const services = new Services(io)
  const stopRequested = io.stopRequested()
  try {
    const { tusk, worker, what, place } = await openWork({ module, config, options, io, services })
    const schema = config.get('database.schema')
    say(io, `Working on ${what} at ${place}, schema ${schema}; Ctrl-C stops.`)
    const end = options.once ? untilIdle(tusk, worker) : worker.stopped
    await keepAliveUntil(Promise.race([stopRequested, end]))
  } finally {
    await services.stopAll()
  }
}

function watch({ once }: Options, io: Io): Promise<void> {
  if (!once) return watchWork(io)
  throw new TuskError('invalid_argument', '--once and --watch contradict each other', {
    hint: 'Leave one of them out.',
  })
}
