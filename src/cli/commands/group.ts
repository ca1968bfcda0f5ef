import { Command } from 'commander'
import type { Tusk } from '../../client/tusk.ts'
import type { GroupStats } from '../../engine/measuring.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import {
  type LimitOptions,
  limitsOf,
  requireSomething,
  withLimits,
} from '../options/limit-options.ts'
import { parseCount } from '../options/parse-argument.ts'
import type { Column, Details, Screen } from '../output/screen.ts'
import { fromNow } from '../output/spans.ts'
import type { Io } from '../process/io.ts'
import { NotFound } from '../process/not-found.ts'
import { action } from './action.ts'

interface GroupOptions extends TuskOptions, LimitOptions {
  readonly weight?: number
}

/** `tusk group`: names that tasks share, to share limits. */
export function groupCommand(io: Io): Command {
  const command = new Command('group').description('See groups of tasks, and change their limits')
  addLooking(command, io)
  addSetting(command, io)
  addPausing(command, io)
  return command
}

function addLooking(command: Command, io: Io): void {
  const list = withEngine(command.command('list'))
    .description('print the groups with their limits and how much of them is in use')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          screen.list(await verbs.groupStats(db), columns, 'No group is in use.')
        }),
      ),
    )
  withExamples(list, ['tusk group list'])
  const show = withEngine(command.command('show <group>'))
    .description('print one group with its limits')
    .action(
      action<TuskOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, (tusk) => showGroup(tusk, name, screen)),
      ),
    )
  withExamples(show, [`tusk group show 'customer 42'`])
}

function addSetting(command: Command, io: Io): void {
  const set = withLimits(withEngine(command.command('set <group>')))
    .description('change its limits, from the next claim on')
    .option('--weight <count>', 'its share in a fair queue', parseCount)
    .action(
      action<GroupOptions, [string]>(io, (screen, options, name) => {
        const { weight } = options
        const settings = { ...limitsOf(options), ...(weight === undefined ? {} : { weight }) }
        requireSomething(settings)
        return withTusk(options, screen.io, async (tusk) => {
          await asPerson(tusk, (on) => tusk.groups.set(name, settings, { on }))
          screen.say(`Group ${name} is set.`)
          await showGroup(tusk, name, screen)
        })
      }),
    )
  withExamples(set, [
    `tusk group set 'customer 42' --max-running 2 --rate 100 --rate-window '1 minute'`,
  ])
}

function addPausing(command: Command, io: Io): void {
  const verbs = [
    ['pause', 'start no more of its tasks, in any queue', 'is paused'],
    ['resume', 'start its tasks again', 'is resumed'],
  ] as const
  for (const [verb, description, said] of verbs) {
    const each = withEngine(command.command(`${verb} <group>`))
      .description(description)
      .action(
        action<TuskOptions, [string]>(io, (screen, options, name) =>
          withTusk(options, screen.io, async (tusk) => {
            await asPerson(tusk, (on) => tusk.groups[verb](name, { on }))
            screen.say(`Group ${name} ${said}.`)
          }),
        ),
      )
    withExamples(each, [`tusk group ${verb} 'customer 42'`])
  }
}

async function showGroup(tusk: Tusk, name: string, screen: Screen): Promise<void> {
  const { verbs, db } = engineOf(tusk)
  const all = await verbs.groupStats(db)
  const group = all.find(({ group_name }) => group_name === name)
  if (group === undefined) {
    const known = all.map(({ group_name }) => group_name)
    throw new NotFound('group', name, known)
  }
  screen.one(group, details(group))
}

const columns: readonly Column<GroupStats>[] = [
  { name: 'group', of: ({ group_name }) => group_name },
  {
    name: 'state',
    of: ({ paused_at }) => (paused_at === null ? 'open' : 'paused'),
    style: ({ paused_at }) => (paused_at === null ? undefined : 'yellow'),
  },
  {
    name: 'running',
    of: ({ running, max_running }) =>
      max_running === null ? running : `${running}/${max_running}`,
    isNumber: true,
  },
  { name: 'parked', of: ({ parked }) => parked, isNumber: true },
  { name: 'rate', of: rateOf },
  { name: 'gap', of: gapOf },
  { name: 'next start', of: ({ next_start_at }) => fromNow(next_start_at) },
]

function details(group: GroupStats): Details {
  return [
    ['group', group.group_name],
    ['paused', fromNow(group.paused_at) ?? 'no'],
    ['running', group.running],
    ['max running', group.max_running],
    ['parked', group.parked],
    ['rate', rateOf(group)],
    ['rate left', group.rate_left],
    ['gap', gapOf(group)],
    ['weight', group.weight],
    ['next start', fromNow(group.next_start_at)],
  ]
}

function rateOf({ rate, rate_window }: GroupStats): string | null {
  return rate === null ? null : `${rate} per ${rate_window}`
}

function gapOf({ gap, gap_from }: GroupStats): string | null {
  return gap === null ? null : `${gap} from ${gap_from}`
}
