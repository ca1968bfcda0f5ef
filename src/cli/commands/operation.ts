import { Command } from 'commander'
import type { Operation } from '../../engine/bulk.ts'
import { TuskError } from '../../lib/errors.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { parseCount, parseId } from '../options/parse-argument.ts'
import { type Column, detailLines } from '../output/screen.ts'
import { exactly, fromNow } from '../output/spans.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

interface ListOptions extends TuskOptions {
  readonly limit: number
  readonly before?: string
}

/** `tusk operation`: what was done to all tasks that match a filter. */
export function operationCommand(io: Io): Command {
  const command = new Command('operation').description(
    'See how far the work on many tasks at once has come, and stop it',
  )
  addList(command, io)
  addShow(command, io)
  addCancel(command, io)
  return command
}

function addList(command: Command, io: Io): void {
  const list = withEngine(command.command('list'))
    .description('print operations on many tasks, the newest first')
    .option('-n, --limit <count>', 'how many', parseCount, 50)
    .option('--before <id>', 'only older ones: the next page', parseId)
    .action(
      action<ListOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { limit, before } = options
          const { verbs, db } = engineOf(tusk)
          const found = await verbs.operations(db, { limit, before })
          screen.list(found, columns, 'There are no operations.')
          const last = found.length < limit ? undefined : found.at(-1)
          if (last !== undefined) screen.say(`There may be more: --before ${last.id}`)
        }),
      ),
    )
  withExamples(list, ['tusk operation list'], ['tusk operation list -n 1 -o json'])
}

function addShow(command: Command, io: Io): void {
  const show = withEngine(command.command('show'))
    .description('print one operation with its progress')
    .argument('<id>', 'the operation', parseId)
    .action(
      action<TuskOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          const found = await verbs.operation(db, id)
          if (found === null) throw notFound(id)
          screen.one(found, () => detailLines(described(found)))
        }),
      ),
    )
  withExamples(show, ['tusk operation show 7'])
}

function addCancel(command: Command, io: Io): void {
  const cancel = withEngine(command.command('cancel'))
    .description('cancel one operation; what it has already done stays done')
    .argument('<id>', 'the operation', parseId)
    .action(
      action<TuskOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, async (tusk) => {
          await asPerson(tusk, (on) => tusk.operations.cancel(id, { on }))
          screen.say(`Operation ${id} is cancelled.`)
        }),
      ),
    )
  withExamples(cancel, ['tusk operation cancel 7'])
}

function notFound(id: string): TuskError {
  return new TuskError('operation_not_found', `there is no operation ${id}`, {
    hint: 'Operations are kept for 7 days after their end. tusk operation list shows all.',
  })
}

const columns: readonly Column<Operation>[] = [
  { name: 'id', of: ({ id }) => id, isNumber: true },
  { name: 'action', of: ({ action: verb }) => verb },
  { name: 'state', of: ({ state }) => state, style: styleOf },
  { name: 'progress', of: percentOf, isNumber: true },
  { name: 'done', of: ({ done }) => done, isNumber: true },
  { name: 'refused', of: ({ refused }) => refused, isNumber: true },
  { name: 'by', of: ({ created_by }) => created_by },
  { name: 'began', of: ({ created_at }) => fromNow(created_at) },
  { name: 'filter', of: ({ filter }) => JSON.stringify(filter) },
]

function described(operation: Operation) {
  const { id, action: verb, state, total, matched, done, refused, error, ended_at } = operation
  const all: readonly (readonly [string, string | number | null])[] = [
    ['operation', id],
    ['action', verb],
    ['filter', JSON.stringify(operation.filter)],
    ['arguments', JSON.stringify(operation.arguments)],
    ['state', state],
    ['progress', percentOf(operation)],
    ['total', total],
    ['matched', matched],
    ['done', done],
    ['refused', refused],
    ['error', error],
    ['by', operation.created_by],
    ['began', exactly(operation.created_at)],
    ['ended', ended_at === null ? null : exactly(ended_at)],
  ]
  return all.filter(([, value]) => value !== null)
}

function styleOf({ state }: Operation) {
  return state === 'failed' ? 'red' : undefined
}

function percentOf({ progress }: Operation): string {
  return `${Math.floor(progress * 100)} %`
}
