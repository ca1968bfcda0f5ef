import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type BenchCluster, openCluster } from '../cluster.ts'
import { currentLoad, describeMachine } from '../measure/machine.ts'
import { copySql, project } from '../project.ts'
import { serverVersion } from '../run.ts'
import type { Cell } from '../shared/cells.ts'
import { interrupted, isInterrupted, say } from '../shared/interrupted.ts'
import { randomFrom } from '../shared/statistics.ts'
import { writeResult } from '../shared/write-result.ts'
import { durableFolder } from './folder.ts'
import { type DurableOptions, parseDurableOptions, usage } from './options.ts'
import { page } from './report/markdown.ts'
import { writeDurablePage } from './report/page.ts'
import { type DurableResult, mergeDurable } from './report/result.ts'
import { closeStage, openStages, runWorkload } from './run.ts'
import { workloads } from './workloads/all.ts'

async function main(argv: readonly string[]): Promise<number> {
  const options = parseDurableOptions(argv)
  if (options.isHelp) process.stdout.write(usage)
  else if (options.isList) {
    for (const { name, shows } of workloads) console.log(`${name.padEnd(6)} ${shows}`)
  } else if (options.pageOf.length > 0) {
    const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as DurableResult
    const result = mergeDurable(await Promise.all(options.pageOf.map(read)))
    say(`written: ${await writeDurablePage(project, result)}`)
  } else return measure(options)
  return 0
}

/** Stops the processes and the server of this run in every case. */
async function measure(options: DurableOptions): Promise<number> {
  const stopped = interrupted()
  await durableFolder.install('openworkflow', say)
  for (const { prepare } of options.subjects) await prepare?.()
  await copySql()
  const cluster = await openCluster(options.databaseUrl, options.bin, say)
  try {
    return await Promise.race([stopped, measureAll(options, cluster)])
  } finally {
    await Promise.all([...openStages].map(closeStage))
    await cluster.stop()
  }
}

async function measureAll(options: DurableOptions, { url, run }: BenchCluster): Promise<number> {
  const machine = await describeMachine(project, await serverVersion(url))
  const { seed, rounds, sizes } = options
  say(`Postgres ${machine.postgres}, ${machine.cores} × ${machine.cpu}, seed ${seed}`)
  const { subjects, missing } = present(options)
  const cells: Cell[] = []
  const node = execFileSync(durableFolder.node, ['--version'], { encoding: 'utf8' }).trim()
  const resultNow = (): DurableResult => ({
    ...{ machine: { ...machine, node }, seed, rounds, sizes, missing, cells },
    loadAfter: currentLoad(),
    endedAt: new Date().toISOString(),
  })
  const write = () => writeResult(project, 'durable', resultNow(), page(resultNow()))
  const here = { clusterUrl: url, run, node: durableFolder.node, random: randomFrom(seed) }
  for (const workload of options.workloads) {
    const shared = { subjects, sizes, rounds, onProgress: say }
    cells.push(...(await runWorkload(workload, { ...here, ...shared })))
    if (isInterrupted()) return 130
    // After each workload, so that an interrupted run keeps what it has.
    await write()
  }
  console.log(`${page(resultNow())}\n`)
  for (const file of await write()) say(`written: ${file}`)
  const failed = cells.filter(({ failure }) => failure !== undefined)
  for (const { workload, variant, subject, failure } of failed) {
    say(`failed: ${workload} ${variant}, ${subject}: ${failure}`)
  }
  return failed.length > 0 ? 1 : 0
}

/** The subjects that can be measured here, and why the others cannot. */
function present({ subjects }: DurableOptions) {
  const missing: Record<string, string> = {}
  for (const { name, missing: why } of subjects) {
    const reason = why?.()
    if (reason !== undefined) missing[name] = reason
  }
  for (const [name, reason] of Object.entries(missing)) say(`not measured: ${name}, ${reason}`)
  return { subjects: subjects.filter(({ name }) => missing[name] === undefined), missing }
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
