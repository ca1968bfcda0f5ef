import { Command } from 'commander'
import type { SqlTaskOptions } from '../../client/sql-task.ts'
import type { Tusk } from '../../client/tusk.ts'
import type { SqlError, SqlOutput } from '../../engine/sql-output.ts'
import { TuskError } from '../../lib/errors.ts'
import { asPerson } from '../database/as-person.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import { parseCount, parseTime } from '../options/parse-argument.ts'
import { printSqlOutput } from '../output/print-sql-output.ts'
import { scheduleLine } from '../output/schedule-lines.ts'
import type { Screen } from '../output/screen.ts'
import { describeSqlError } from '../output/sql-lines.ts'
import { waitAloud } from '../output/wait-aloud.ts'
import { Exit, exitCode } from '../process/exit-code.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

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
  readonly maxBytes?: number
  readonly whole?: boolean
  readonly wait?: true | number
}

/** `tusk sql`: SQL that a worker runs. */
export function sqlCommand(io: Io): Command {
  const command = withEngine(new Command('sql'))
    .description('Run SQL in the background on a worker, and print the id of the task')
    .argument('<sql>', 'one or more statements')
    .option('--at <time>', 'do not start before this time', parseTime)
    .option('--every <interval>', 'repeat it, such as every "15 minutes": creates a schedule')
    .option('--name <name>', 'name of the schedule (default: the SQL itself)')
    .option(
      '--remote <connection>',
      'run it over a registered connection instead of in the database of Tusk',
    )
    .option('--role <role>', 'run it as this role (default: your role)')
    .option('--queue <queue>', 'the queue it waits in', 'sql')
    .option('--timeout <interval>', 'how long it may run, such as "30 seconds"')
    .option(
      '--attempts <count>',
      'how often it is tried (default: the setting of its queue)',
      parseCount,
    )
    .option('--max-rows <count>', 'how many rows of a result are kept', parseCount)
    .option('--max-bytes <count>', 'how many bytes of the output are kept', parseCount)
    .option('--whole', 'do not cut the output; fail if it is too large')
    .option(
      '--wait [seconds]',
      'wait until it has ended and print its result; meanwhile print why it waits and which attempts failed',
      parseCount,
    )
    .action(
      action<SqlOptions, [string]>(io, (screen, options, sql) =>
        withTusk(options, screen.io, (tusk) =>
          options.every === undefined
            ? enqueue(tusk, sql, options, screen)
            : plan(tusk, sql, options, screen),
        ),
      ),
    )
  return withExamples(
    command,
    [`tusk sql 'select * from report' --wait`],
    [`tusk sql 'vacuum accounts' --at 2026-12-01T03:00:00+01:00`],
    [`tusk sql 'refresh materialized view report' --every '15 minutes'`],
    [`tusk sql 'select id, name from accounts' --wait -o csv`],
  )
}

async function enqueue(
  tusk: Tusk,
  sql: string,
  options: SqlOptions,
  screen: Screen,
): Promise<void> {
  const { at, wait, attempts, name } = options
  if (name !== undefined) {
    throw new TuskError('invalid_argument', '--name is the name of a schedule', {
      hint: 'Leave it out, or add --every.',
    })
  }
  const task = await tusk.sql(sql, { ...optionsOf(options), runAt: at, maxAttempts: attempts })
  if (wait === undefined) {
    screen.value(task.id, { id: task.id, outcome: task.outcome })
    return
  }
  screen.say(`Task ${task.id}`)
  const end = await waitAloud(tusk, task.id, wait === true ? undefined : wait * 1_000, screen)
  if (end.state === 'done') {
    printSqlOutput(end.output as unknown as SqlOutput, screen)
    return
  }
  const error = (end.error ?? {}) as Partial<SqlError>
  printSqlOutput({ results: error.results ?? [], notices: error.notices ?? [] }, screen)
  const lines =
    end.state === 'cancelled' ? ['The task was cancelled.'] : describeSqlError(error, sql)
  // Said even when quiet: it is what went wrong.
  for (const line of lines) screen.io.stderr.write(`${line}\n`)
  throw new Exit(exitCode.taskFailed)
}

async function plan(tusk: Tusk, sql: string, options: SqlOptions, screen: Screen): Promise<void> {
  const { every, at, attempts, queue, timeout } = options
  if (options.wait !== undefined) {
    throw new TuskError(
      'invalid_argument',
      'a schedule does not end, so --wait cannot wait for it',
      {
        hint: 'Leave out --wait, or --every.',
      },
    )
  }
  const name = options.name ?? sql.replaceAll(/\s+/g, ' ').trim().slice(0, 100)
  const { remote: connection, role, maxRows: max_rows, maxBytes: max_bytes, whole } = options
  const payload = withoutUndefined({ sql, connection, role, max_rows, max_bytes, whole })
  const kind = 'sql' as const
  const task = withoutUndefined({ queue, kind, payload, timeout, maxAttempts: attempts })
  const next = await asPerson(tusk, (on) =>
    tusk.schedules.set(name, { task, every, startsAt: at }, { on }),
  )
  screen.value(next?.toISOString() ?? '-', { name, next_at: next })
  screen.say(scheduleLine(name, await tusk.schedules.get(name)))
}

function optionsOf(options: SqlOptions): SqlTaskOptions {
  const { remote, role, queue, timeout, maxRows, maxBytes, whole } = options
  return { connection: remote, role, queue, timeout, maxRows, maxBytes, whole }
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T
}
