import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from './cluster.ts'
import { currentLoad, describeMachine } from './measure/machine.ts'
import { type Options, parseOptions, usage } from './options.ts'
import { copySql, project } from './project.ts'
import { type Result, writeJson, writeResult } from './report/json.ts'
import { summarize } from './report/summary.ts'
import { table } from './report/table.ts'
import { type RunOptions, runScenario, serverVersion } from './run.ts'
import { scenarios } from './scenarios/all.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { openSubjects } from './subjects/open-subjects.ts'

let isStopping = false

/** Nothing more once it is to stop: all that comes then is statements failing with their server. */
function say(line: string): void {
  if (!isStopping) process.stderr.write(`${line}\n`)
}

async function main(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv)
  if (options.isHelp) process.stdout.write(usage)
  else if (options.isList) list()
  else return measure(options)
  return 0
}

function list(): void {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  for (const { name, shows } of scenarios) console.log(`${name.padEnd(width)}  ${shows}`)
}

/** Whatever happens, the server it started is stopped and its files are gone. */
async function measure(options: Options): Promise<number> {
  const stopped = interrupted()
  await copySql()
  const scratch = await mkdtemp(join(tmpdir(), 'tusk-bench-sql-'))
  try {
    const subjects = await openSubjects(project, scratch, options.against, options.designs)
    const cluster = await openCluster(options.databaseUrl, options.bin, say)
    try {
      const { sizes, rounds } = options
      const { url, run: name } = cluster
      const run = { url, run: name, subjects, sizes, rounds, onProgress: say }
      return await Promise.race([stopped, measureAll(options, run)])
    } finally {
      await cluster.stop()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function measureAll(options: Options, run: RunOptions): Promise<number> {
  const machine = await describeMachine(project, await serverVersion(run.url))
  say(`Postgres ${machine.postgres}, Node ${machine.node}, ${machine.cores} × ${machine.cpu}`)
  const results: Result[] = []
  for (const scenario of options.scenarios) {
    const cells = await runScenario(scenario, run)
    const summaries = summarize(cells)
    const result: Result = {
      scenario: scenario.name,
      machine,
      loadAfter: currentLoad(),
      sizes: options.sizes,
      summaries,
      cells,
    }
    results.push(result)
    console.log(`\n${heading(scenario, result)}\n\n${table(summaries)}`)
    say(`written to ${await writeResult(project, result)}`)
  }
  if (options.json !== undefined) await writeJson(options.json, results)
  return results.some(({ cells }) => cells.some(({ failure }) => failure)) ? 1 : 0
}

function heading({ name, shows }: Scenario, { machine, loadAfter }: Result): string {
  const state = machine.isChanged ? `${machine.commit} with changes` : machine.commit
  return `${name}: ${shows}\n(${state}; load ${machine.loadBefore} before, ${loadAfter} after)`
}

/** Ctrl-C ends the run, not the process: there is a server to stop. */
function interrupted(): Promise<number> {
  return new Promise((resolve) => {
    const stop = (code: number) => {
      isStopping = true
      process.on('unhandledRejection', () => {})
      resolve(code)
    }
    process.once('SIGINT', () => stop(130))
    process.once('SIGTERM', () => stop(143))
  })
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
