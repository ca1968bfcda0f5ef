import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { WaitReason } from '../../../engine/explaining.ts'
import type { Attempt } from '../../../engine/looking.ts'
import type { Task } from '../../../engine/task.ts'
import { TuskError } from '../../../lib/errors.ts'
import { findJsonFault } from '../../../lib/json-fault.ts'
import { isNever } from '../../../lib/waits.ts'
import { withoutUndefined } from '../../../tasks/enqueue-options.ts'
import { engineOf } from '../../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseId } from '../../options/parse-argument.ts'
import { jsonLines } from '../../output/json-lines.ts'
import { type Column, detailLines, type Screen } from '../../output/screen.ts'
import { exactly, fromNow, spanBetween } from '../../output/spans.ts'
import { errorMessage, stepLines } from '../../output/step-lines.ts'
import { waitingLines } from '../../output/waiting-lines.ts'
import type { Io } from '../../process/io.ts'
import { visible } from '../../process/visible.ts'
import { action } from '../action.ts'

export function addTaskShow(task: Command, io: Io): void {
  const command = withEngine(task.command('show'))
    .description('print a task with its steps and failed attempts')
    .argument('<id>', 'the task', parseId)
    .action(
      action<TuskOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          const found = await verbs.task(db, id)
          if (found === null) throw notFound(id)
          const attempts = await verbs.attempts(db, id)
          const exact = await exactTexts(tusk, id)
          const waiting = await explained(tusk, found)
          const steps = await verbs.steps(db, id)
          screen.one({ ...found, ...exact, waiting, steps, attempts }, () => [
            ...described(found, exact, attempts, screen),
            ...stepLines(steps, screen),
            ...waitingLines(waiting, screen),
          ])
        }),
      ),
    )
  withExamples(command, ['tusk task show 42'], ['tusk task show 42 -o json'])
}

export function notFound(id: string): TuskError {
  return new TuskError('task_not_found', `there is no task ${id}`, {
    hint: 'Check the id. The task may have ended longer ago than its retention.',
  })
}

/** Nothing of a task that runs or has ended, or did so while we asked. */
async function explained(tusk: Tusk, { id, claim, finished_at }: Task): Promise<WaitReason[]> {
  if (claim !== null || finished_at !== null) return []
  return tusk.tasks.explain(id).catch(() => [])
}

interface ExactTexts {
  readonly payload_text?: string
  readonly output_text?: string
}

/** As Postgres has them, of what JavaScript reads with other numbers: beyond 2^53 it loses digits. */
async function exactTexts(tusk: Tusk, id: string): Promise<ExactTexts> {
  const { verbs, db } = engineOf(tusk)
  const texts = await verbs.taskTexts(db, id)
  const lost = (text: string | null | undefined) =>
    text && findJsonFault(text) !== undefined ? text : undefined
  return withoutUndefined({ payload_text: lost(texts?.payload), output_text: lost(texts?.output) })
}

function described(
  task: Task,
  exact: ExactTexts,
  attempts: readonly Attempt[],
  screen: Screen,
): string[] {
  const parts = [
    ['payload', task.payload, exact.payload_text],
    ['output', task.output, exact.output_text],
    ['error', task.error],
    ['progress', task.progress],
    ['meta', task.meta],
  ] as const
  return [
    ...detailLines(summary(task)),
    ...parts.flatMap(([name, value, text]) =>
      value === null
        ? []
        : [
            '',
            screen.paint('bold', name),
            ...(text === undefined ? jsonLines(value) : [visible(text)]),
          ],
    ),
    ...(attempts.length === 0
      ? []
      : ['', screen.paint('bold', 'attempts that failed'), ...screen.tableOf(attempts, columns)]),
  ]
}

/** What is null says nothing, and is left out. */
function summary(task: Task) {
  const { state, reason, attempt, max_attempts, groups, tags } = task
  const all: readonly (readonly [string, string | number | null])[] = [
    ['task', task.id],
    ['state', reason === null ? state : `${state} (${reason})`],
    ['queue', task.queue],
    ['kind', task.handler === null ? task.kind : `${task.kind} ${task.handler}`],
    ['key', task.key],
    ['groups', groups?.join(', ') ?? null],
    ['tags', tags?.join(', ') ?? null],
    ['priority', task.priority],
    ['attempt', max_attempts === null ? attempt : `${attempt} of ${max_attempts}`],
    ['parent', task.parent],
    ['by', task.submitted_by],
    ['created', momentOf(task.created_at)],
    ['run at', isNever(task.run_at) ? null : momentOf(task.run_at)],
    ['started', momentOf(task.started_at)],
    ['finished', momentOf(task.finished_at)],
    ['took', spanBetween(task.started_at, task.finished_at)],
    ['deadline', momentOf(task.deadline)],
    ['waits for', task.waits_for],
    ['worker', task.worker],
    ['lease until', momentOf(task.lease_expires_at)],
    ['kept until', momentOf(task.keep_until)],
  ]
  return all.filter(([, value]) => value !== null)
}

function momentOf(time: Date | null): string | null {
  return time === null ? null : `${exactly(time)} (${fromNow(time)})`
}

const columns: readonly Column<Attempt>[] = [
  { name: 'attempt', of: ({ attempt }) => attempt, isNumber: true },
  { name: 'ended', of: ({ ended_at }) => exactly(ended_at) },
  { name: 'reason', of: ({ reason }) => reason },
  { name: 'worker', of: ({ worker }) => worker },
  { name: 'error', of: ({ error }) => (error === null ? null : errorMessage(error)) },
]
