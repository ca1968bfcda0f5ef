import { Command } from 'commander'
import type { SqlTaskOptions } from '../../client/sql-task.ts'
import type { Tusk } from '../../client/tusk.ts'
import type { SqlError, SqlOutput } from '../../engine/sql-output.ts'
import { TuskError } from '../../lib/errors.ts'
import { Exit, exitCode } from '../exit-code.ts'
import { give, type Io, say } from '../io.ts'
import { parseCount, parseTime } from '../parse-argument.ts'
import { describeOutput, describeSqlError } from '../sql-lines.ts'
import { type TuskOptions, withEngine, withTusk } from '../with-tusk.ts'

interface SqlOptions extends TuskOptions {
  readonly at?: Date
  readonly every?: string
  readonly name?: string
  readonly remote?: string
  readonly role?: string
  readonly queue: string
  readonly timeout?: string
  readonly attempts?: number
  readonly maxRows?: number
  readonly wait?: true | number
  readonly json?: true
}

/** `tusk sql`: SQL that a worker runs. */
export function sqlCommand(io: Io): Command {
  return withEngine(new Command('sql'))
    .description('Have a worker run SQL in the background; prints the id of the task')
    .argument('<sql>', 'any text, also of several statements')
    .option('--at <time>', 'not before this time', parseTime)
    .option('--every <interval>', 'again and again, such as "15 minutes": makes a schedule')
    .option('--name <name>', 'of the schedule (default: the text itself)')
    .option(
      '--remote <connection>',
      'over a registered connection instead of in the engine’s database',
    )
    .option('--role <role>', 'as this role (default: as you)')
    .option('--queue <queue>', 'the queue it waits in', 'sql')
    .option('--timeout <interval>', 'how long it may run, such as "30 seconds"')
    .option('--attempts <count>', 'how often it is tried (default: as its queue says)', parseCount)
    .option('--max-rows <count>', 'how many rows of a result are kept', parseCount)
    .option('--wait [seconds]', 'wait for its end and print what it gave', parseCount)
    .option('--json', 'print the output as JSON instead of tables')
    .action((sql: string, options: SqlOptions) =>
      withTusk(options, io, (tusk) =>
        options.every === undefined
          ? enqueue(tusk, sql, options, io)
          : plan(tusk, sql, options, io),
      ),
    )
}

async function enqueue(tusk: Tusk, sql: string, options: SqlOptions, io: Io): Promise<void> {
  const { at, wait, attempts } = options
  const task = await tusk.sql(sql, { ...optionsOf(options), runAt: at, maxAttempts: attempts })
  if (wait === undefined) {
    give(io, task.id)
    return
  }
  say(io, `Task ${task.id}`)
  const end = await tusk.waitForEnd(task.id, wait === true ? {} : { timeout: wait * 1_000 })
  if (end.state === 'done') return print(end.output as unknown as SqlOutput, options, io)
  const error = (end.error ?? {}) as Partial<SqlError>
  print({ results: error.results ?? [], notices: error.notices ?? [] }, options, io)
  if (end.state === 'cancelled') say(io, 'The task was cancelled.')
  else for (const line of describeSqlError(error, sql)) say(io, line)
  throw new Exit(exitCode.taskFailed)
}

function print(output: Pick<SqlOutput, 'results' | 'notices'>, { json }: SqlOptions, io: Io): void {
  if (json) give(io, JSON.stringify(output, undefined, 2))
  else for (const line of describeOutput(output)) give(io, line)
}

async function plan(tusk: Tusk, sql: string, options: SqlOptions, io: Io): Promise<void> {
  const { every, at, attempts, queue, timeout } = options
  if (options.wait !== undefined) {
    throw new TuskError('invalid_argument', 'a schedule has no end to wait for', {
      hint: 'Leave out --wait, or --every.',
    })
  }
  const name = options.name ?? sql.replaceAll(/\s+/g, ' ').trim().slice(0, 100)
  const { remote: connection, role, maxRows: max_rows } = options
  const payload = withoutUndefined({ sql, connection, role, max_rows })
  const next = await tusk.setSchedule(name, {
    task: withoutUndefined({
      queue,
      kind: 'sql' as const,
      payload,
      timeout,
      maxAttempts: attempts,
    }),
    every,
    startsAt: at,
  })
  give(io, next?.toISOString() ?? '-')
  say(io, `Schedule ${name}: ${(await tusk.schedule(name))?.words ?? ''}`)
}

function optionsOf({ remote, role, queue, timeout, maxRows }: SqlOptions): SqlTaskOptions {
  return { connection: remote, role, queue, timeout, maxRows }
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T
}
