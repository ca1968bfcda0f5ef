import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import pg from 'pg'
import { Tusk } from '../../client/tusk.ts'
import { migrate } from '../../db/migrate.ts'
import { ServerClient } from '../../db/server-client.js'
import type { BenchResult } from '../bench/figures.ts'
import { runBench } from '../bench/run-bench.ts'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import { reach } from '../database/database.ts'
import {
  type RunningDatabaseOptions,
  runningDatabaseUrl,
  withRunningDatabase,
} from '../database/running-database.ts'
import { withExamples } from '../options/examples.ts'
import { parseCount } from '../options/parse-argument.ts'
import { type Progress, startProgress } from '../output/progress.ts'
import type { Column, Screen } from '../output/screen.ts'
import { Exit, exitCode } from '../process/exit-code.ts'
import { type Io, say } from '../process/io.ts'

interface Options extends RunningDatabaseOptions {
  readonly tasks: number
  readonly pickups: number
  readonly seconds: number
  readonly concurrency: number
}

/** `tusk bench`: how fast a database is, in a schema that is gone afterwards. */
export function benchCommand(io: Io): Command {
  return withExamples(
    withRunningDatabase(new Command('bench')),
    ['tusk bench'],
    ['tusk bench --tasks 50000 -o json'],
  )
    .description('Measure enqueueing, draining and pickup in a scratch schema, and drop it')
    .option('--tasks <count>', 'how many to enqueue and drain', parseCount, 5_000)
    .option('--pickups <count>', 'how many to start one by one', parseCount, 200)
    .option('--concurrency <count>', 'tasks that run at once (default: 10)', parseCount)
    .option('--seconds <count>', 'the most seconds that each part may take', parseCount, 20)
    .action(configuredAction(io, bench))
}

async function bench(screen: Screen, config: Config, options: Options): Promise<void> {
  const { io } = screen
  const url = await runningDatabaseUrl(options, io)
  const place = await reach(url)
  const schema = `tusk_bench_${randomBytes(4).toString('hex')}`
  const stopping = new AbortController()
  void io.stopRequested().then(() => stopping.abort())
  say(io, `Measuring at ${place}, in schema ${schema}.`)
  try {
    await migrate(url, { schema, roles: false })
    const direct = config.get('database.directUrl') ?? url
    const concurrency = config.get('worker.concurrency')
    const results = await measure(
      io,
      { ...options, url: direct, schema, concurrency },
      stopping.signal,
    )
    screen.list(results, columns)
  } finally {
    await drop(url, schema)
  }
  if (stopping.signal.aborted) throw new Exit(exitCode.failure)
}

async function measure(
  io: Io,
  options: Options & { readonly url: string; readonly schema: string },
  signal: AbortSignal,
): Promise<BenchResult[]> {
  const { url, schema } = options
  const tusk = await Tusk.open({ database: url, schema, listen: false })
  const bars = new Map<string, Progress>()
  const onProgress = (part: string, done: number, total: number) => {
    const bar = bars.get(part) ?? startProgress(io, { label: part })
    bars.set(part, bar)
    bar.update(done, total)
  }
  try {
    return await runBench({ ...options, tusk, signal, onProgress })
  } finally {
    for (const bar of bars.values()) bar.end()
    await tusk.close()
  }
}

async function drop(url: string, schema: string): Promise<void> {
  const client = new ServerClient({ connectionString: url })
  await client.connect()
  try {
    await client.query('set client_min_messages = warning')
    await client.query(`drop schema if exists ${pg.escapeIdentifier(schema)} cascade`)
  } finally {
    await client.end()
  }
}

const columns: readonly Column<BenchResult>[] = [
  { name: 'part', of: ({ part }) => part },
  { name: 'tasks', of: ({ tasks }) => tasks, isNumber: true },
  { name: 'seconds', of: ({ seconds }) => seconds, isNumber: true },
  { name: 'per second', of: ({ per_second }) => per_second, isNumber: true },
  { name: 'p50 ms', of: ({ p50_ms }) => p50_ms, isNumber: true },
  { name: 'p95 ms', of: ({ p95_ms }) => p95_ms, isNumber: true },
  { name: 'p99 ms', of: ({ p99_ms }) => p99_ms, isNumber: true },
  { name: 'how', of: ({ about }) => about },
]
