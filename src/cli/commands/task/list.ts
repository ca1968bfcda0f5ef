import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { Task } from '../../../engine/task.ts'
import { engineOf } from '../../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseCount, parseId } from '../../options/parse-argument.ts'
import { queryFilter, withQuery } from '../../options/query-option.ts'
import type { Screen } from '../../output/screen.ts'
import { taskColumns } from '../../output/task-columns.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'

interface ListOptions extends TuskOptions {
  readonly query?: string
  readonly limit: number
  readonly before?: string
}

export function addTaskList(task: Command, io: Io): void {
  const command = withQuery(withEngine(task.command('list')))
    .description('print tasks, the newest first')
    .argument('[query...]', 'the same as --query')
    .option('-n, --limit <count>', 'how many', parseCount, 50)
    .option('--before <id>', 'only older ones: the next page', parseId)
    .action(
      action<ListOptions, [string[]]>(io, (screen, options, query) =>
        withTusk(options, screen.io, (tusk) =>
          list(tusk, [options.query ?? '', ...query].join(' '), options, screen),
        ),
      ),
    )
  withExamples(
    command,
    ['tusk task list queue:mail state:failed,retrying'],
    [`tusk task list --query 'queue:mail "no such host" after:2h'`],
    ['tusk task list state:failed -n 1000 -o csv'],
  )
}

async function list(
  tusk: Tusk,
  query: string,
  { limit, before }: ListOptions,
  screen: Screen,
): Promise<void> {
  const { verbs, db } = engineOf(tusk)
  const filter = queryFilter(query)
  const tasks: Task[] = []
  let next: string | null = before ?? null
  // A page may be short, or even empty, and still not be the last.
  do {
    const page = await verbs.pageTasks(db, filter, {
      before: next ?? undefined,
      limit: Math.min(limit - tasks.length, 500),
    })
    tasks.push(...page.tasks)
    next = page.next
  } while (next !== null && tasks.length < limit)
  screen.list(tasks, taskColumns, 'No tasks match.')
  if (next !== null) screen.say(`There are more. The next page: --before ${next}`)
}
