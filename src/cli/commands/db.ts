import { Command } from 'commander'
import { type ClusterStatus, findRunning, inspect, stopAll } from '../../embedded/inspect.ts'
import { launch } from '../../embedded/launch.ts'
import { defaultStateDirectory } from '../../embedded/state-directory.ts'
import { Exit, exitCode } from '../exit-code.ts'
import { give, type Io, say } from '../io.ts'
import { portOption } from '../port-option.ts'

/** `tusk db`: the embedded Postgres by itself. */
export function dbCommand(io: Io): Command {
  const db = new Command('db').description('Run the embedded Postgres by itself')
  db.command('start')
    .description('start it in the background and print its connection string')
    .addOption(portOption())
    .action((options: { port?: number }) => start(io, options.port))
  db.command('stop')
    .description('stop it, whoever started it')
    .action(() => stop(io))
  db.command('status')
    .description(
      'show version, port, pid, data directory and size (exit code 3 when it is stopped)',
    )
    .action(() => status(io))
  db.command('url')
    .description('print the connection string and nothing else')
    .action(() => url(io))
  return db
}

async function start(io: Io, port: number | undefined): Promise<void> {
  const cluster = await launch({
    stateDirectory: defaultStateDirectory(io.env),
    port,
    onProgress: (message) => say(io, message),
  })
  const how = cluster.attached ? 'runs already' : 'is running'
  say(io, `Postgres ${cluster.version} ${how} on port ${cluster.port} (pid ${cluster.pid}).`)
  give(io, cluster.url)
}

async function stop(io: Io): Promise<void> {
  const pids = await stopAll(defaultStateDirectory(io.env))
  if (pids.length === 0) say(io, 'The embedded Postgres is not running.')
  for (const pid of pids) say(io, `Postgres (pid ${pid}) is stopped.`)
}

async function status(io: Io): Promise<void> {
  const clusters = await inspect(defaultStateDirectory(io.env))
  for (const cluster of clusters) give(io, describe(cluster))
  if (clusters.every(({ running }) => running === undefined)) notRunning(io)
}

async function url(io: Io): Promise<void> {
  const running = await findRunning(defaultStateDirectory(io.env))
  if (running === undefined) return notRunning(io)
  give(io, running.url)
}

/** Not a failure of ours, but a script must be able to tell: pg_ctl says 3 as well. */
function notRunning(io: Io): never {
  say(io, 'tusk: the embedded Postgres is not running; start it with: tusk db start')
  throw new Exit(exitCode.notFound)
}

function describe({ major, running, dataDirectory, sizeBytes, log }: ClusterStatus): string {
  const lines = [
    ['version', running?.version ?? String(major)],
    ['state', running === undefined ? 'stopped' : 'running'],
    ['port', running === undefined ? '-' : String(running.port)],
    ['pid', running === undefined ? '-' : String(running.pid)],
    ['data', dataDirectory],
    ['size', `${Math.round(sizeBytes / 1_000_000)} MB`],
    ['log', log],
  ] as const
  return lines.map(([name, value]) => `${name.padEnd(8)}${value}`).join('\n')
}
