import type { Tusk } from '../../../client/tusk.ts'
import type { Operation } from '../../../engine/bulk.ts'
import type { TaskCount, TaskFilter } from '../../../engine/looking.ts'
import { TuskError } from '../../../lib/errors.ts'
import { asPerson } from '../../as-person.ts'
import { type ConfirmOptions, confirm } from '../../confirm.ts'
import { Exit, exitCode } from '../../exit-code.ts'
import type { Screen } from '../../output/screen.ts'
import { startProgress } from '../../progress.ts'
import { queryFilter } from '../../query-option.ts'
import { taskColumns } from '../../task-columns.ts'
import { type Deed, tasksOf } from './deed.ts'

/** How long a person waits to be told how many there are. */
const countWithin = '5 seconds'
const countCap = 1_000_000

/** Does a deed to all tasks that a query finds, and shows how far it has come. */
export async function actOnMany(
  tusk: Tusk,
  deed: Deed,
  query: string,
  options: ConfirmOptions,
  screen: Screen,
): Promise<void> {
  if (deed.oneByOne !== undefined) throw oneByOne(deed.oneByOne)
  if (query.trim() === '') throw everyTask()
  const filter = queryFilter(query)
  const { name: action, many } = deed
  const count = await tusk.countOperation(
    { action, filter, ...many },
    { cap: countCap, within: countWithin },
  )
  const sentence = `${deed.does} ${atLeast(count)}`
  if (options.dryRun) {
    const { tasks } = await tusk.tasks({ ids: count.newest })
    const found = { action, dry_run: true, matched: count.count, exact: count.exact, tasks }
    screen.one(found, () => screen.tableOf(tasks, taskColumns))
    screen.say(`Dry run: this ${sentence}. Nothing was changed.`)
    return
  }
  if (count.exact && count.count === 0) screen.say('No tasks match.')
  else await confirm(screen, sentence, options)
  await operate(tusk, deed, filter, count, screen)
}

/** Ctrl-C ends it where it is. Should this process die instead, the workers go on with it. */
async function operate(
  tusk: Tusk,
  deed: Deed,
  filter: TaskFilter,
  count: TaskCount,
  screen: Screen,
): Promise<void> {
  const { name: action, many } = deed
  const operation = await asPerson(tusk, (on) => tusk.operate({ action, filter, ...many }, { on }))
  const progress = startProgress(screen.io, {
    label: deed.doing,
    total: count.exact ? count.count : undefined,
  })
  let isStopped = false
  void screen.io.stopRequested().then(() => {
    isStopped = true
  })
  let last: Operation | undefined
  try {
    for await (const now of operation) {
      last = now
      progress.update(now.matched)
      if (isStopped && now.state === 'running')
        await asPerson(tusk, (on) => tusk.cancelOperation(now.id, { on }))
    }
  } finally {
    progress.end()
  }
  if (last !== undefined) report(last, screen)
}

function report(operation: Operation, screen: Screen): void {
  const { state, done, refused, error } = operation
  if (!screen.isForPeople) screen.one(operation, [])
  const refusals = refused === 0 ? '' : `, ${refused} refused (the last: ${error})`
  const end = state === 'done' ? '' : ` It was ${state}.`
  screen.say(`${tasksOf(done)} done${refusals}.${end}`)
  if (state !== 'done') throw new Exit(exitCode.failure)
}

function atLeast({ count, exact }: TaskCount): string {
  return exact ? tasksOf(count) : `at least ${tasksOf(count)}`
}

/** Nearly always a variable of a script that was never set. */
function everyTask(): TuskError {
  return new TuskError('invalid_argument', 'the query is empty, which would be every task', {
    hint: "Say which ones, as in --query 'queue:mail', or name the states: --query 'state:failed,done'.",
  })
}

function oneByOne(option: string): TuskError {
  return new TuskError('invalid_argument', `${option} is for tasks that are named by their ids`, {
    hint: 'All tasks of a query would get the same.',
  })
}
