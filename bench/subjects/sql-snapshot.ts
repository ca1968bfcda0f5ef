import { execFile } from 'node:child_process'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { StartWorker } from './subject.ts'

const run = promisify(execFile)

/** A copy of the present sql/, so that you can edit the files during a run, which takes minutes. */
export async function copyOfWorkingTree(project: string, into: string): Promise<string> {
  const directory = join(into, 'here')
  await cp(join(project, 'sql'), directory, { recursive: true })
  return directory
}

/** The sql/ of a commit, without touching the working tree. */
export async function sqlOfRef(project: string, ref: string, into: string): Promise<string> {
  const directory = join(into, ref.replaceAll(/\W/g, '_'))
  const archive = `${directory}.tar`
  await mkdir(directory, { recursive: true })
  await run('git', ['-C', project, 'archive', '-o', archive, ref, 'sql'])
  await run('tar', ['-x', '-f', archive, '-C', directory])
  return join(directory, 'sql')
}

/** The worker of a commit, compiled when it is first asked for. */
export function workerOfRef(
  project: string,
  ref: string,
  into: string,
): () => Promise<StartWorker> {
  let compiled: Promise<StartWorker> | undefined
  return () => {
    compiled ??= compileWorker(project, ref, join(into, `${ref.replaceAll(/\W/g, '_')}_worker`))
    return compiled
  }
}

async function compileWorker(
  project: string,
  ref: string,
  directory: string,
): Promise<StartWorker> {
  const archive = `${directory}.tar`
  await mkdir(directory, { recursive: true })
  await run('git', ['-C', project, 'archive', '-o', archive, ref])
  await run('tar', ['-x', '-f', archive, '-C', directory])
  await symlink(join(project, 'node_modules'), join(directory, 'node_modules'))
  await run(join(project, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.bench.json'], {
    cwd: directory,
  })
  const file = join(directory, 'dist-bench/src/worker/worker.js')
  const { startWorker } = await import(pathToFileURL(file).href)
  return startWorker
}
