import type { Tusk } from '../../../client/tusk.ts'
import type { Task } from '../../../engine/task.ts'
import { TuskError } from '../../../lib/errors.ts'
import { asPerson } from '../../database/as-person.ts'
import { engineOf } from '../../database/engine-of.ts'
import type { TuskOptions } from '../../database/with-tusk.ts'
import { type ConfirmOptions, confirm } from '../../options/confirm.ts'
import type { Screen } from '../../output/screen.ts'
import { taskColumns } from '../../output/task-columns.ts'
import { Exit, exitCodeOf } from '../../process/exit-code.ts'
import { sayError } from '../../process/io.ts'
import { actOnMany } from './act-on-many.ts'
import { type Deed, tasksOf } from './deed.ts'

export interface ActOptions extends TuskOptions, ConfirmOptions {
  readonly query?: string
}

/** Does a deed to the tasks that are named, or to all that a query finds. */
export async function act(
  tusk: Tusk,
  deed: Deed,
  ids: readonly string[] = [],
  options: ActOptions,
  screen: Screen,
): Promise<void> {
  const { query } = options
  if ((query === undefined) === (ids.length === 0)) throw whichTasks(deed)
  if (query !== undefined) return actOnMany(tusk, deed, query, options, screen)
  if (options.dryRun) return wouldAct(tusk, deed, ids, screen)
  if (deed.isFinal) await confirm(screen, `${deed.does} ${tasksOf(ids.length)}`, options)
  await actOnEach(tusk, deed, ids, screen)
}

interface Outcome {
  readonly id: string
  readonly outcome: 'done' | 'refused'
  readonly code: string | null
  readonly message: string | null
}

/** Each for itself: what refuses does not keep the others. The exit code is that of the first refusal. */
async function actOnEach(
  tusk: Tusk,
  deed: Deed,
  ids: readonly string[],
  screen: Screen,
): Promise<void> {
  const { verbs } = engineOf(tusk)
  const outcomes: Outcome[] = []
  let firstError: unknown
  for (const id of ids) {
    try {
      await asPerson(tusk, (db) => deed.to(verbs, id, db))
      outcomes.push({ id, outcome: 'done', code: null, message: null })
      screen.say(`Task ${id} ${deed.done}.`)
    } catch (error) {
      if (!(error instanceof TuskError)) throw error
      firstError ??= error
      outcomes.push({ id, outcome: 'refused', code: error.code, message: error.message })
      sayError(screen.io, error)
    }
  }
  if (!screen.isForPeople) screen.list(outcomes, [])
  if (firstError !== undefined) throw new Exit(exitCodeOf(firstError))
}

async function wouldAct(
  tusk: Tusk,
  deed: Deed,
  ids: readonly string[],
  screen: Screen,
): Promise<void> {
  const { verbs, db } = engineOf(tusk)
  const found = await Promise.all(ids.map((id) => verbs.task(db, id)))
  const tasks = found.filter((task): task is Task => task !== null)
  screen.list(tasks, taskColumns)
  screen.say(`Dry run: this ${deed.does} ${tasksOf(tasks.length)}. Nothing was changed.`)
}

function whichTasks({ name }: Deed): TuskError {
  return new TuskError('invalid_argument', 'name tasks by their ids, or find them with --query', {
    hint: `tusk task ${name} 42, or tusk task ${name} --query 'queue:mail state:failed'`,
  })
}
