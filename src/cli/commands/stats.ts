import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import type { Tusk } from '../../client/tusk.ts'
import { TuskError } from '../../lib/errors.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { countUpTo, parseCount } from '../options/parse-argument.ts'
import { queueColumns } from '../output/queue-columns.ts'
import type { Screen } from '../output/screen.ts'
import { give, type Io } from '../process/io.ts'
import { action } from './action.ts'
import { type Snapshot, summaryLine, takeSnapshot } from './stats/snapshot.ts'

interface StatsOptions extends TuskOptions {
  readonly watch?: true | number
  readonly times?: number
}

/** A timer that is asked for much more does not wait at all. */
const aDay = 86_400

/** `tusk stats`: how things stand. */
export function statsCommand(io: Io): Command {
  const command = withEngine(new Command('stats'))
    .description('Print the state of queues, workers and chores, once or repeatedly')
    .option(
      '-w, --watch [seconds]',
      'print again until Ctrl-C (default: every 2 seconds)',
      countUpTo(aDay),
    )
    .option('--times <count>', 'with --watch: how many times', parseCount)
    .action(
      action<StatsOptions>(io, (screen, options) =>
        withTusk(options, screen.io, (tusk) =>
          options.watch === undefined ? once(tusk, options, screen) : watch(tusk, options, screen),
        ),
      ),
    )
  return withExamples(
    command,
    ['tusk stats'],
    ['tusk stats --watch'],
    ['tusk stats --watch 10 -o jsonl', 'one line each ten seconds'],
  )
}

async function once(tusk: Tusk, { times }: StatsOptions, screen: Screen): Promise<void> {
  if (times !== undefined) {
    throw new TuskError('invalid_argument', '--times is for --watch', { hint: 'Add --watch.' })
  }
  const snapshot = await takeSnapshot(tusk)
  screen.one(snapshot, () => picture(snapshot, screen))
}

async function watch(tusk: Tusk, { watch: every, times }: StatsOptions, screen: Screen) {
  const everyMs = (every === undefined || every === true ? 2 : every) * 1_000
  const stopping = new AbortController()
  void screen.io.stopRequested().then(() => stopping.abort())
  void screen.io.readerGone?.().then(() => stopping.abort())
  let before: Snapshot | undefined
  for (let round = 1; ; round += 1) {
    const snapshot = await takeSnapshot(tusk)
    show(snapshot, before, screen)
    if (round === times) return
    before = snapshot
    const goesOn = await pause(everyMs, true, { signal: stopping.signal }).catch(() => false)
    if (!goesOn) return
  }
}

/** A terminal is drawn over; elsewhere there is a line each time. */
function show(snapshot: Snapshot, before: Snapshot | undefined, screen: Screen): void {
  if (!screen.isForPeople) {
    // A row per tick: what has parts is JSON, so that CSV keeps its columns.
    screen.next(snapshot, () => '', before === undefined)
    return
  }
  const lines = picture(snapshot, screen, before)
  const clear = screen.io.stdout.isTTY ? '\x1b[H\x1b[2J\x1b[3J' : ''
  give(screen.io, clear + lines.join('\n'))
}

function picture(snapshot: Snapshot, screen: Screen, before?: Snapshot): string[] {
  const { queues } = snapshot
  return [
    summaryLine(snapshot, before),
    '',
    ...(queues.length === 0 ? ['There are no queues yet.'] : screen.tableOf(queues, queueColumns)),
    ...snapshot.alerts.map(({ chore, alert }) => screen.paint('red', `${chore} is ${alert}`)),
  ]
}
