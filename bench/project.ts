import { existsSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with package.json, from bench/ as well as from where it is compiled to. */
export const project = findProject(dirname(fileURLToPath(import.meta.url)))

function findProject(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory
  return findProject(dirname(directory))
}

/**
 * The migrator reads its own statements from sql/ beside the folder it is compiled into. That is
 * true of dist/, but this build keeps src/ one level deeper. A copy, so that they stay the same for
 * the whole run.
 */
export async function copySql(): Promise<void> {
  const built = join(project, 'dist-bench', 'sql')
  await rm(built, { recursive: true, force: true })
  await cp(join(project, 'sql'), built, { recursive: true })
}
