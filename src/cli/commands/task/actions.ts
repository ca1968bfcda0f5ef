import type { Command } from 'commander'
import type { Json } from '../../../engine/task.ts'
import { timeLiteral } from '../../../engine/time-literal.ts'
import { TuskError } from '../../../lib/errors.ts'
import { withEngine, withTusk } from '../../database/with-tusk.ts'
import { withConfirmation } from '../../options/confirm.ts'
import { withExamples } from '../../options/examples.ts'
import {
  collectValues,
  type GivenJson,
  parseCount,
  parseIds,
  parseJson,
  parseTime,
  parseWhole,
} from '../../options/parse-argument.ts'
import { withQuery } from '../../options/query-option.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'
import { type ActOptions, act } from './act.ts'
import type { Deed } from './deed.ts'

/** What people do with tasks: by id, or with all that a query finds. */
export function addTaskActions(task: Command, io: Io): void {
  addRetry(task, io)
  addCancel(task, io)
  addKill(task, io)
  addMove(task, io)
  addAmend(task, io)
  addDelete(task, io)
}

interface RetryOptions {
  readonly at?: Date
  readonly payload?: GivenJson
  readonly from?: string
}

function addRetry(task: Command, io: Io): void {
  const command = actionOn(task, 'retry', 'bring tasks that ended back, with all their attempts')
    .option('--at <time>', 'do not start before this time', parseTime)
    .option('--payload <json>', 'with this payload instead of its own', parseJson)
    .option('--from <step>', 'forget this step and all later ones, and run them again')
  perform<RetryOptions>(command, io, ({ at, payload, from }) => ({
    name: 'retry',
    does: 'retries',
    doing: 'Retrying',
    done: 'is queued again',
    many: {
      ...(at === undefined ? {} : { run_at: timeLiteral(at) }),
      ...(from === undefined ? {} : { from }),
    },
    oneByOne: payload === undefined ? undefined : '--payload',
    to: (verbs, id, db) => verbs.retry(db, id, at ?? null, payload?.json, from ?? null),
  }))
  withExamples(
    command,
    ['tusk task retry 42 43'],
    ['tusk task retry 42 --from charge', 'a durable task, from this step on'],
    [`tusk task retry --query 'queue:mail state:failed after:1d' --dry-run`],
    [`tusk task retry --query 'state:failed code:08006' --yes`],
  )
}

function addCancel(task: Command, io: Io): void {
  const command = actionOn(task, 'cancel', 'stop tasks that wait or run')
  perform(command, io, () => ({
    name: 'cancel',
    does: 'cancels',
    doing: 'Cancelling',
    done: 'is cancelled',
    many: {},
    to: (verbs, id, db) => verbs.cancel(db, id),
  }))
  withExamples(
    command,
    ['tusk task cancel 42'],
    [`tusk task cancel --query 'group:"customer 42"' --yes`],
  )
}

function addKill(task: Command, io: Io): void {
  const command = actionOn(task, 'kill', 'give tasks that run up for good: they fail')
  perform(command, io, () => ({
    name: 'kill',
    does: 'kills',
    doing: 'Killing',
    done: 'is killed',
    many: {},
    to: (verbs, id, db) => verbs.killRunning(db, id),
  }))
  withExamples(command, ['tusk task kill 42'], [`tusk task kill --query 'worker:w7' --yes`])
}

function addMove(task: Command, io: Io): void {
  const command = actionOn(task, 'move', 'give tasks that wait another time to run').requiredOption(
    '--at <time>',
    'when',
    parseTime,
  )
  perform<{ at: Date }>(command, io, ({ at }) => ({
    name: 'move',
    does: 'moves',
    doing: 'Moving',
    done: `runs at ${at.toISOString()}`,
    many: { run_at: timeLiteral(at) },
    to: (verbs, id, db) => verbs.move(db, id, at),
  }))
  withExamples(
    command,
    ['tusk task move 42 --at 2026-12-01T03:00:00+01:00'],
    [`tusk task move --query 'queue:reports state:scheduled' --at 2026-12-01 --yes`],
  )
}

interface AmendOptions {
  readonly set?: GivenJson
  readonly payload?: GivenJson
  readonly priority?: number
  readonly at?: Date
  readonly deadline?: Date
  readonly attempts?: number
  readonly timeout?: string
  readonly retention?: string
  readonly group?: readonly string[]
  readonly tag?: readonly string[]
}

function addAmend(task: Command, io: Io): void {
  const command = actionOn(
    task,
    'amend',
    'change tasks: of one that runs, what comes after its run',
  )
    .option('--payload <json>', 'its data', parseJson)
    .option('--priority <number>', 'higher priorities first', parseWhole)
    .option('--at <time>', 'do not start before this time', parseTime)
    .option('--deadline <time>', 'do not start after this time', parseTime)
    .option('--attempts <count>', 'how often it is tried', parseCount)
    .option('--timeout <interval>', 'how long one attempt may run')
    .option('--retention <interval>', 'how long it is kept after its end')
    .option('--group <name>', 'its groups from now on; may be repeated', collectValues)
    .option('--tag <name>', 'its tags from now on; may be repeated', collectValues)
    .option('--set <json>', 'any change as amend() takes it; null restores a default', parseJson)
  perform<AmendOptions>(command, io, (options) => {
    const changes = changesOf(options)
    return {
      name: 'amend',
      does: 'amends',
      doing: 'Amending',
      done: 'is amended',
      many: { changes },
      oneByOne: options.payload === undefined ? undefined : '--payload',
      to: (verbs, id, db) => verbs.amend(db, id, changes),
    }
  })
  withExamples(
    command,
    [`tusk task amend 42 --priority 5 --payload '{"to": "bob"}'`],
    [`tusk task amend 42 --set '{"timeout": null}'`],
    [`tusk task amend --query 'queue:reports state:ready' --priority -1 --yes`],
  )
}

function changesOf(options: AmendOptions): { readonly [name: string]: Json } {
  const { payload, priority, at, deadline, attempts, timeout, retention } = options
  const set = options.set === undefined ? {} : options.set.json
  if (typeof set !== 'object' || set === null || Array.isArray(set)) {
    throw new TuskError('invalid_argument', '--set must be a JSON object', {
      hint: `Write --set '{"priority": 5}'.`,
    })
  }
  const named = {
    ...{ payload: payload?.json, priority, timeout, retention },
    ...{ run_at: at?.toISOString(), deadline: deadline?.toISOString() },
    ...{ max_attempts: attempts, groups: options.group, tags: options.tag },
  }
  const given = Object.entries({ ...set, ...named }).filter(([, value]) => value !== undefined)
  if (given.length > 0) return Object.fromEntries(given) as { readonly [name: string]: Json }
  throw new TuskError('invalid_argument', 'no change is given', {
    hint: 'Give one, for example --priority 5.',
  })
}

function addDelete(task: Command, io: Io): void {
  const command = actionOn(task, 'delete', 'remove tasks with all that is known of them')
  perform(command, io, () => ({
    name: 'delete',
    does: 'deletes',
    doing: 'Deleting',
    done: 'is deleted',
    isFinal: true,
    many: {},
    to: (verbs, id, db) => verbs.delete(db, id),
  }))
  withExamples(
    command,
    ['tusk task delete 42 --yes'],
    [`tusk task delete --query 'queue:mail state:failed before:30d' --dry-run`],
  )
}

function actionOn(task: Command, name: string, about: string): Command {
  return withConfirmation(withQuery(withEngine(task.command(name))))
    .description(about)
    .argument('[id...]', 'the tasks', parseIds)
}

function perform<Options extends object>(
  command: Command,
  io: Io,
  deedOf: (options: Options) => Deed,
): void {
  command.action(
    action<Options & ActOptions, [readonly string[]]>(io, (screen, options, ids) => {
      const deed = deedOf(options)
      return withTusk(options, screen.io, (tusk) => act(tusk, deed, ids, options, screen))
    }),
  )
}
