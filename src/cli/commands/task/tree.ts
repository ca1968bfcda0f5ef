import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { FamilyMember } from '../../../engine/durable.ts'
import { type Branch, inTreeOrder } from '../../../lib/family-tree.ts'
import { describeWaits } from '../../../lib/waits.ts'
import { engineOf } from '../../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { countUpTo, parseId } from '../../options/parse-argument.ts'
import type { Column, Screen } from '../../output/screen.ts'
import { spanBetween } from '../../output/spans.ts'
import { styleOf } from '../../output/task-columns.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'

const mostTasks = 10_000

interface TreeOptions extends TuskOptions {
  readonly limit: number
}

export function addTaskTree(task: Command, io: Io): void {
  const command = withEngine(task.command('tree'))
    .description('print a task, its children and their children')
    .argument('<id>', 'the task', parseId)
    .option('-n, --limit <count>', 'how many, the nearest first', countUpTo(mostTasks), 1_000)
    .action(
      action<TreeOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, (tusk) => print(tusk, id, options.limit, screen)),
      ),
    )
  withExamples(command, ['tusk task tree 42'], ['tusk task tree 42 -o jsonl'])
}

async function print(tusk: Tusk, id: string, limit: number, screen: Screen): Promise<void> {
  const { verbs, db } = engineOf(tusk)
  const found = await verbs.family(db, id, limit + 1)
  const members = found.slice(0, limit)
  if (screen.isForPeople) screen.list(inTreeOrder(members), columns)
  else screen.list(members, [])
  if (found.length > limit)
    screen.say(`There are more than ${limit}: --limit takes up to ${mostTasks}.`)
}

const columns: readonly Column<Branch<FamilyMember>>[] = [
  { name: 'id', of: ({ member }) => member.id, isNumber: true },
  { name: 'task', of: ({ member, lines }) => `${lines}${member.step ?? member.handler ?? ''}` },
  {
    name: 'state',
    of: ({ member }) => member.state,
    style: ({ member }) => styleOf(member),
    isWhole: true,
  },
  { name: 'queue', of: ({ member }) => member.queue },
  { name: 'attempt', of: ({ member }) => member.attempt, isNumber: true },
  {
    name: 'took',
    of: ({ member: { started_at, finished_at } }) => spanBetween(started_at, finished_at),
  },
  { name: 'note', of: ({ member }) => noteOf(member) },
]

function noteOf({ queue, waits, state, is_detached }: FamilyMember): string {
  const notes = [
    queue === null ? 'no longer kept' : null,
    state === 'waiting' ? describeWaits(waits) : null,
    is_detached ? 'detached' : null,
  ]
  return notes.filter((note) => note !== null).join(', ')
}
