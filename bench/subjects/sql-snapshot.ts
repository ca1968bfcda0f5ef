import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A copy of sql/ as it is now: a run takes minutes, and nobody should have to keep their hands off. */
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
