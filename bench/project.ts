import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with package.json, from bench/ as well as from where it is compiled to. */
export const project = findProject(dirname(fileURLToPath(import.meta.url)))

function findProject(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory
  return findProject(dirname(directory))
}

/**
 * The migrator reads sql/ beside the folder it is compiled into. That is true of dist/, but this
 * build keeps src/ one level deeper.
 */
export async function linkSql(): Promise<void> {
  const built = join(project, 'dist-bench', 'sql')
  if (existsSync(built)) return
  await symlink(join(project, 'sql'), built, 'junction')
}
