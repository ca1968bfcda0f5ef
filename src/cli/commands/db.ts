import { Command } from 'commander'
import { type ClusterStatus, findRunning, inspect, stopAll } from '../../embedded/inspect.ts'
import { launch } from '../../embedded/launch.ts'
import { stateDirectoryFor } from '../database/state-directory.ts'
import { withExamples } from '../options/examples.ts'
import { noHttpPortOption, postgresPortOption } from '../options/port-option.ts'
import type { Details, Screen } from '../output/screen.ts'
import { Exit, exitCode } from '../process/exit-code.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

/** `tusk db`: the embedded Postgres by itself. */
export function dbCommand(io: Io): Command {
  const db = new Command('db').description('Run the embedded Postgres by itself')
  const starting = db
    .command('start')
    .description('start it in the background and print its connection string')
    .addOption(postgresPortOption())
    .addOption(noHttpPortOption())
    .action(
      action<{ postgresPort?: number }>(io, (screen, { postgresPort }) =>
        start(screen, postgresPort),
      ),
    )
  withExamples(starting, ['tusk db start'], ['tusk db start --postgres-port 5433'])
  const stopping = db
    .command('stop')
    .description('stop it, also if another command started it')
    .action(action(io, stop))
  withExamples(stopping, ['tusk db stop'])
  const looking = db
    .command('status')
    .description(
      'show version, port, pid, data directory and size (exit code 3 when it is stopped)',
    )
    .action(action(io, status))
  withExamples(looking, ['tusk db status'], ['tusk db status -o json'])
  const naming = db
    .command('url')
    .description('print the connection string and nothing else')
    .action(action(io, url))
  withExamples(naming, ['psql "$(tusk db url)"'])
  return db
}

async function start(screen: Screen, port: number | undefined): Promise<void> {
  const cluster = await launch({
    stateDirectory: stateDirectoryFor(screen.io),
    port,
    keep: true,
    onProgress: (message) => screen.say(message),
  })
  const how = cluster.attached ? 'runs already' : 'is running'
  screen.say(`Postgres ${cluster.version} ${how} on port ${cluster.port} (pid ${cluster.pid}).`)
  const { url: at, version, pid, port: taken } = cluster
  screen.value(at, { url: at, version, port: taken, pid })
  // Gives back our share in it. It stays, because of `keep` above.
  await cluster.stop()
}

async function stop(screen: Screen): Promise<void> {
  const pids = await stopAll(stateDirectoryFor(screen.io))
  if (pids.length === 0) screen.say('The embedded Postgres is not running.')
  for (const pid of pids) screen.say(`Postgres (pid ${pid}) is stopped.`)
}

async function status(screen: Screen): Promise<void> {
  const clusters = await inspect(stateDirectoryFor(screen.io))
  if (screen.isForPeople) for (const cluster of clusters) screen.one(cluster, describe(cluster))
  else screen.list(clusters.map(record), [])
  if (clusters.every(({ running }) => running === undefined)) notRunning(screen.io)
}

async function url(screen: Screen): Promise<void> {
  const running = await findRunning(stateDirectoryFor(screen.io))
  if (running === undefined) return notRunning(screen.io)
  screen.value(running.url, { url: running.url })
}

/** Not a failure of ours, but a script must be able to tell: pg_ctl says 3 as well. */
function notRunning(io: Io): never {
  io.stderr.write('tusk: the embedded Postgres is not running; start it with: tusk db start\n')
  throw new Exit(exitCode.notFound)
}

function record({ major, running, dataDirectory, sizeBytes, log }: ClusterStatus) {
  return {
    version: running?.version ?? String(major),
    state: running === undefined ? 'stopped' : 'running',
    port: running?.port ?? null,
    pid: running?.pid ?? null,
    data: dataDirectory,
    size_bytes: sizeBytes,
    log,
  }
}

function describe(cluster: ClusterStatus): Details {
  const { version, state, port, pid, data, size_bytes, log } = record(cluster)
  return [
    ['version', version],
    ['state', state],
    ['port', port],
    ['pid', pid],
    ['data', data],
    ['size', `${Math.round(size_bytes / 1_000_000)} MB`],
    ['log', log],
  ]
}
