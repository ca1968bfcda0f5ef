import { Command } from 'commander'
import type { ChoreStats, Leader } from '../../engine/leading.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import type { Column } from '../output/screen.ts'
import { fromNow } from '../output/spans.ts'
import type { Io } from '../process/io.ts'
import { NotFound } from '../process/not-found.ts'
import { action } from './action.ts'

type Row = ChoreStats & { readonly leaders: readonly Leader[] }

/** `tusk chore`: periodic housekeeping, and the workers that lead it. */
export function choreCommand(io: Io): Command {
  const command = new Command('chore').description(
    'See which worker leads which chore, and ask it to hand over',
  )
  const list = withEngine(command.command('list'))
    .description('print each chore, its leader, its latest run and what is wrong')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          const leaders = await verbs.leaders(db)
          const rows = (await verbs.choreStats(db)).map((chore) => ({
            ...chore,
            leaders: leaders.filter((leader) => leader.chore === chore.chore),
          }))
          screen.list(rows, columns, 'No worker has registered a chore yet.')
        }),
      ),
    )
  withExamples(list, ['tusk chore list'])
  const resign = withEngine(command.command('resign <chore>'))
    .description('ask its leader to hand it to another worker, and print the leader')
    .action(
      action<TuskOptions, [string]>(io, (screen, options, chore) =>
        withTusk(options, screen.io, async (tusk) => {
          const known = (await tusk.chores.list()).map((each) => each.chore)
          if (!known.includes(chore)) throw new NotFound('chore', chore, known)
          const worker = await asPerson(tusk, (on) => tusk.chores.resign(chore, { on }))
          if (worker === null) screen.say(`No worker leads ${chore}.`)
          screen.value(worker ?? '-', { chore, worker })
        }),
      ),
    )
  withExamples(resign, ['tusk chore resign sweep'])
  return command
}

const columns: readonly Column<Row>[] = [
  { name: 'chore', of: ({ chore }) => chore },
  { name: 'strategy', of: ({ strategy }) => strategy },
  { name: 'leader', of: leaderOf },
  { name: 'last run', of: ({ last_run_at }) => fromNow(last_run_at) },
  { name: 'runs', of: ({ runs }) => runs, isNumber: true },
  {
    name: 'errors',
    of: ({ errors }) => errors,
    isNumber: true,
    style: ({ errors }) => (errors === 0 ? undefined : 'red'),
  },
  { name: 'alert', of: ({ alert }) => alert, style: () => 'red' },
]

function leaderOf({ leaders }: Row): string {
  const [only, ...others] = leaders
  if (only === undefined) return 'nobody'
  return others.length === 0 ? `${only.host ?? only.worker}` : `${leaders.length} workers`
}
