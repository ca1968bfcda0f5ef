import type { Tusk } from '../../../client/tusk.ts'
import type { Operation } from '../../../engine/bulk.ts'
import { filterInSql, type TaskCount, type TaskFilter } from '../../../engine/looking.ts'
import { TuskError } from '../../../lib/errors.ts'
import { asPerson } from '../../database/as-person.ts'
import { engineOf } from '../../database/engine-of.ts'
import { type ConfirmOptions, confirm } from '../../options/confirm.ts'
import { queryFilter } from '../../options/query-option.ts'
import { startProgress } from '../../output/progress.ts'
import type { Screen } from '../../output/screen.ts'
import { taskColumns } from '../../output/task-columns.ts'
import { Exit, exitCode } from '../../process/exit-code.ts'
import { type Deed, tasksOf } from './deed.ts'

/** How long a person waits for the number of matching tasks. */
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
  const { verbs, db } = engineOf(tusk)
  const count = await verbs.countOperation(db, action, filterInSql(filter), many, {
    cap: countCap,
    within: countWithin,
  })
  const sentence = `${deed.does} ${atLeast(count)}`
  if (options.dryRun) {
    const { tasks } = await verbs.pageTasks(db, { ids: count.newest })
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
  const { verbs, db } = engineOf(tusk)
  const id = await asPerson(tusk, (on) =>
    verbs.startOperation(on, action, filterInSql(filter), many),
  )
  const progress = startProgress(screen.io, {
    label: deed.doing,
    total: count.exact ? count.count : undefined,
  })
  let isStopped = false
  void screen.io.stopRequested().then(() => {
    isStopped = true
  })
  try {
    for await (const now of tusk.operations.drive(id)) {
      progress.update(now.matched, now.total ?? undefined)
      if (isStopped && now.state === 'running')
        await asPerson(tusk, (on) => tusk.operations.cancel(id, { on }))
    }
  } finally {
    progress.end()
  }
  const ended = await verbs.operation(db, id)
  if (ended !== null) report(ended, screen)
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
  return new TuskError('invalid_argument', 'the query is empty and would match every task', {
    hint: "Name a queue, as in --query 'queue:mail', or states, as in --query 'state:failed,done'.",
  })
}

function oneByOne(option: string): TuskError {
  return new TuskError('invalid_argument', `${option} is for tasks that are named by their ids`, {
    hint: 'All tasks of a query would get the same.',
  })
}
