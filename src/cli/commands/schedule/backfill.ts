import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import { asPerson } from '../../database/as-person.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseCount, parseTime } from '../../options/parse-argument.ts'
import { startProgress } from '../../output/progress.ts'
import type { Screen } from '../../output/screen.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'

/** So many at once: each is a transaction, and shows how far it has come. */
const atOnce = 200

interface BackfillOptions extends TuskOptions {
  readonly from: Date
  readonly to: Date
  readonly limit: number
}

export function addScheduleBackfill(schedule: Command, io: Io): void {
  const command = withEngine(schedule.command('backfill <name>'))
    .description('enqueue tasks for missing and skipped times of a range, and print how many')
    .requiredOption('--from <time>', 'first', parseTime)
    .requiredOption('--to <time>', 'last', parseTime)
    .option('--limit <count>', 'the most tasks to enqueue', parseCount, 1_000)
    .action(
      action<BackfillOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, (tusk) => backfill(tusk, name, options, screen)),
      ),
    )
  withExamples(command, ['tusk schedule backfill report --from 2026-11-01 --to 2026-11-08'])
}

async function backfill(
  tusk: Tusk,
  name: string,
  { from, to, limit }: BackfillOptions,
  screen: Screen,
): Promise<void> {
  const progress = startProgress(screen.io, { label: 'Filling' })
  let fired = 0
  let next: Date | null = from
  try {
    while (next !== null && fired < limit) {
      const start: Date = next
      const some = await asPerson(tusk, (on) =>
        tusk.schedules.backfill(name, start, to, { on, limit: Math.min(limit - fired, atOnce) }),
      )
      fired += some.fired
      next = some.moreFrom
      progress.update(fired)
    }
  } finally {
    progress.end()
  }
  screen.value(String(fired), { name, fired, more_from: next })
  if (next !== null) screen.say(`There is more. Go on with --from ${next.toISOString()}`)
}
