import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import { type TuskOptions, withEngine } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { parseCount, parseSpan } from '../options/parse-argument.ts'
import type { Screen } from '../output/screen.ts'
import { Exit, exitCode } from '../process/exit-code.ts'
import { type Io, say } from '../process/io.ts'
import { openWork, untilIdle } from '../serving/open-work.ts'
import { withLog } from '../serving/server-options.ts'
import { keepAliveUntil, Services } from '../serving/services.ts'
import { names } from './work.ts'

interface Options extends TuskOptions {
  readonly for: number
}

/** Of the time, so much is left for what runs when no more is claimed. */
const lastShare = 0.2
/** How much of that time a handler has to stop after it was asked to. */
const graceShare = 0.25

/** `tusk drain`: one bounded pass of a worker, for cron and serverless. */
export function drainCommand(io: Io): Command {
  const command = withExamples(
    new Command('drain'),
    ['tusk drain ./tasks.mjs --for 50s', 'each minute, from cron'],
    ['tusk drain --push --for 25s', 'deliver what is due to its endpoints'],
  )
  return withLog(withEngine(command))
    .description(
      'Run what is due for a bounded time, then end; 0 when nothing is left, 124 when the time is up',
    )
    .argument(
      '[module]',
      'module whose exports are the handlers (default: worker.handlers of the configuration)',
    )
    .requiredOption('--for <span>', 'how long in all, such as 50s or 5m', parseSpan)
    .option(
      '--queues <names>',
      'queues to serve, separated by commas (default: those of its tasks)',
      names,
    )
    .option('--concurrency <count>', 'tasks that run at once (default: 10)', parseCount)
    .option('--sql', 'run SQL tasks too')
    .option('--push', 'deliver tasks to the endpoints of their queues, and run nothing else')
    .option('--chores', 'take part in housekeeping and schedules (default)')
    .option('--no-chores', 'leave housekeeping and schedules to other workers')
    .action(configuredAction(io, drain))
}

async function drain(
  screen: Screen,
  config: Config,
  options: Options,
  module: string | undefined,
): Promise<void> {
  const { io } = screen
  const endsMs = performance.now() + options.for
  const lastMs = options.for * lastShare
  const services = new Services(io)
  const stopRequested = io.stopRequested()
  let isDrained = false
  try {
    const graceMs = lastMs * graceShare
    const { tusk, worker, what } = await openWork({
      module,
      config,
      options,
      io,
      services,
      graceMs,
    })
    say(io, `Draining ${what} for ${options.for / 1_000} s.`)
    const idle = untilIdle(tusk, worker).then(() => true)
    const left = Math.max(endsMs - lastMs - performance.now(), 0)
    const timeUp = pause(left, false, { ref: false })
    // Decided here: a worker that stops is idle too.
    const ended = Promise.race([stopRequested.then(() => false), idle, timeUp])
    await keepAliveUntil(ended.then(() => {}))
    isDrained = await ended
    // What runs has the rest of the time; then it is asked to stop, and released.
    await worker.stop({ deadlineMs: Math.max(endsMs - graceMs - performance.now(), 0) })
  } finally {
    await services.stopAll()
  }
  if (isDrained) return
  say(io, 'The time is up, and tasks may be left.')
  throw new Exit(exitCode.waitTimeout)
}
