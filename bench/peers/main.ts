import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { openCluster } from '../cluster.ts'
import { currentLoad, describeMachine } from '../measure/machine.ts'
import { copySql, project } from '../project.ts'
import { serverVersion } from '../run.ts'
import type { Cell } from '../shared/cells.ts'
import { interrupted, isInterrupted, say } from '../shared/interrupted.ts'
import { randomFrom } from '../shared/statistics.ts'
import { writeResult } from '../shared/write-result.ts'
import { peerFolder } from './folder.ts'
import { type PeerOptions, parsePeerOptions, usage } from './options.ts'
import { table } from './report/markdown.ts'
import { writePage } from './report/page.ts'
import { mergeResults, type PeerResult } from './report/result.ts'
import { closeStage, openStages, runWorkload } from './run.ts'
import { workloads } from './workloads/all.ts'

async function main(argv: readonly string[]): Promise<number> {
  const options = parsePeerOptions(argv)
  if (options.isHelp) process.stdout.write(usage)
  else if (options.isList) list()
  else if (options.pageOf.length > 0) await page(options.pageOf)
  else return measure(options)
  return 0
}

function list(): void {
  const width = Math.max(...workloads.map(({ name }) => name.length))
  for (const { name, shows } of workloads) console.log(`${name.padEnd(width)}  ${shows}`)
}

async function page(files: readonly string[]): Promise<void> {
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as PeerResult
  for (const file of await writePage(project, mergeResults(await Promise.all(files.map(read))))) {
    say(`written: ${file}`)
  }
}

/** Whatever happens, the processes and the server of this run are stopped. */
async function measure(options: PeerOptions): Promise<number> {
  const stopped = interrupted()
  await peerFolder.install('pg-boss', say)
  await copySql()
  const cluster = await openCluster(options.databaseUrl, options.bin, say)
  try {
    return await Promise.race([stopped, measureAll(options, cluster)])
  } finally {
    await Promise.all([...openStages].map(closeStage))
    await cluster.stop()
  }
}

function write(result: PeerResult): Promise<string[]> {
  return writeResult(project, 'peers', result, table(result, { isWithSpread: true }))
}

async function measureAll(
  options: PeerOptions,
  { url, run }: { readonly url: string; readonly run: string },
): Promise<number> {
  const machine = await describeMachine(project, await serverVersion(url))
  const { seed, rounds, sizes, subjects } = options
  say(`Postgres ${machine.postgres}, ${machine.cores} × ${machine.cpu}, seed ${seed}`)
  const cells: Cell[] = []
  const node = execFileSync(peerFolder.node, ['--version'], { encoding: 'utf8' }).trim()
  const resultNow = (): PeerResult => ({
    ...{ machine: { ...machine, node }, seed, rounds, sizes, cells },
    loadAfter: currentLoad(),
    endedAt: new Date().toISOString(),
  })
  const random = randomFrom(seed)
  for (const workload of options.workloads) {
    const shared = { subjects, sizes, rounds, random, onProgress: say }
    const here = { clusterUrl: url, run, node: peerFolder.node }
    cells.push(...(await runWorkload(workload, { ...here, ...shared })))
    // Whatever failed since an interrupt failed because of it.
    if (isInterrupted()) return 130
    // After each workload, so that an interrupted run keeps what it has.
    await write(resultNow())
  }
  const files = await write(resultNow())
  console.log(`${table(resultNow(), { isWithSpread: true })}\n`)
  for (const file of files) say(`written: ${file}`)
  const failed = cells.filter(({ failure }) => failure !== undefined)
  for (const { workload, variant, subject, failure } of failed) {
    say(`failed: ${workload} ${variant}, ${subject}: ${failure}`)
  }
  return failed.length > 0 ? 1 : 0
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
