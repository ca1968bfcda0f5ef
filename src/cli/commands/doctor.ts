import { Command } from 'commander'
import { openPool } from '../../db/open-pool.ts'
import { ServerClient } from '../../db/server-client.js'
import { allChecks } from '../../doctor/checks/all.ts'
import { examine } from '../../doctor/examine.ts'
import type { Finding, Level } from '../../doctor/finding.ts'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import { reach } from '../database/database.ts'
import { type RunningDatabaseOptions, runningDatabaseUrl } from '../database/running-database.ts'
import { withEngine } from '../database/with-tusk.ts'
import { oneOf } from '../options/choice.ts'
import { withExamples } from '../options/examples.ts'
import type { Screen } from '../output/screen.ts'
import { Exit, exitCode } from '../process/exit-code.ts'
import { give, type Io, type Style } from '../process/io.ts'
import { visible } from '../process/visible.ts'

interface Options extends RunningDatabaseOptions {
  readonly only?: readonly string[]
  readonly verbose?: true
}

/** `tusk doctor`: what is wrong with a live database, and what to do. */
export function doctorCommand(io: Io): Command {
  return withExamples(
    withEngine(new Command('doctor')),
    ['tusk doctor'],
    ['tusk doctor --verbose', 'also what is well'],
    ['tusk doctor --only queues --only chores -o json'],
  )
    .description(
      'Look at a live database and say what is wrong (exit code 1 when there is a problem)',
    )
    .option('--only <check>', 'run only this check; may be repeated', collect)
    .option('-v, --verbose', 'also print the checks that found nothing')
    .action(configuredAction(io, doctor))
}

const isCheck = oneOf(allChecks.map(({ name }) => name))

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, isCheck(name)]
}

async function doctor(screen: Screen, config: Config, options: Options): Promise<void> {
  const url = await runningDatabaseUrl(options, screen.io)
  const place = await reach(url)
  const schema = config.get('database.schema')
  screen.say(`Looking at ${place}, schema ${schema}.`)
  const findings = await lookAt(url, schema, options.only)
  print(screen, findings, options.verbose ?? false)
  if (findings.some(({ level }) => level === 'problem')) throw new Exit(exitCode.failure)
}

/** A statement that never ends, behind a lock for example, must not keep the others from being asked. */
const patienceMs = 10_000

async function lookAt(
  url: string,
  schema: string,
  only: readonly string[] | undefined,
): Promise<Finding[]> {
  const settings = {
    connectionString: url,
    application_name: 'tusk doctor',
    query_timeout: patienceMs,
    connectionTimeoutMillis: patienceMs,
  }
  const pool = openPool({ ...settings, max: 1 })
  const connect = async () => {
    const client = new ServerClient(settings)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  try {
    return await examine(pool, { schema, only, connect })
  } finally {
    await pool.end()
  }
}

const marks: Readonly<Record<Level, readonly [mark: string, style: Style]>> = {
  ok: ['✓', 'green'],
  notice: ['·', 'cyan'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
}

function print(screen: Screen, findings: readonly Finding[], isVerbose: boolean): void {
  if (!screen.isForPeople) {
    screen.list(findings, [])
    return
  }
  const shown = findings.filter(({ level }) => isVerbose || level !== 'ok')
  for (const line of shown.flatMap((finding) => linesOf(screen, finding))) give(screen.io, line)
  give(screen.io, summary(findings))
}

function linesOf(screen: Screen, { check, level, message, hint }: Finding): string[] {
  const [mark, style] = marks[level]
  const first = `${screen.paint(style, mark)} ${screen.paint('bold', check)}  ${visible(message)}`
  return hint === null ? [first] : [first, `    ${screen.paint('dim', visible(hint))}`]
}

function summary(findings: readonly Finding[]): string {
  const count = (wanted: Level, one: string, many: string) => {
    const found = findings.filter(({ level }) => level === wanted).length
    return found === 0 ? [] : [`${found} ${found === 1 ? one : many}`]
  }
  const parts = [
    ...count('problem', 'problem', 'problems'),
    ...count('warning', 'warning', 'warnings'),
    ...count('notice', 'notice', 'notices'),
    ...count('ok', 'check is well', 'checks are well'),
  ]
  return `${parts.join(', ')}.`
}
