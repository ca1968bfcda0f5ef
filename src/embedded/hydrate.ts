import { lstat, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { systemCode } from './unavailable.ts'

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Makes the links between libraries that npm cannot pack. The package's own install script does
 * the same, but npm may block install scripts, so we never count on it.
 */
export async function hydrate(packageRoot: string): Promise<void> {
  for (const { source, target } of await links(packageRoot)) {
    const path = join(packageRoot, target)
    if (await exists(path)) continue
    await link(relative(dirname(target), source), path)
  }
}

async function links(packageRoot: string): Promise<readonly Link[]> {
  try {
    const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8')
    return JSON.parse(list) as Link[]
  } catch (error) {
    // Windows has no links, and its package no list.
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** Another process may hydrate the same package at this moment: its link is as good as ours. */
async function link(source: string, path: string): Promise<void> {
  try {
    await symlink(source, path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
