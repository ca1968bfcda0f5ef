import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * The folder that a cluster belongs to: the nearest one from `cwd` upward with a repository, else with a
 * package.json, else `cwd` itself. A home directory that is a repository of its own does not count as a project.
 */
export function projectDirectory(cwd: string): string {
  const start = realPath(cwd)
  return nearest(start, '.git') ?? nearest(start, 'package.json') ?? start
}

/** The name of a project's state directory: readable, and different for each path. */
export function projectSlug(project: string): string {
  const name = basename(project).replace(/[^A-Za-z0-9._-]+/g, '-') || 'root'
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 8)
  return `${name.slice(0, 40)}-${hash}`
}

function nearest(directory: string, marker: string): string | undefined {
  const above = dirname(directory)
  const isHome = directory === realPath(homedir())
  if (existsSync(join(directory, marker)) && !isHome) return directory
  return above === directory || isHome ? undefined : nearest(above, marker)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
