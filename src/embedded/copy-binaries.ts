import {
  access,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { draftName, removeOldDrafts } from './drafts.ts'
import { hydrate } from './hydrate.ts'
import { systemCode } from './unavailable.ts'

/**
 * Copies the package's programs into the state directory, once per version, and gives the copy's
 * root. For an install that is read-only, and for one that Postgres's account may not read.
 */
export async function copyBinaries(packageRoot: string, stateDirectory: string): Promise<string> {
  const home = join(stateDirectory, 'binaries')
  const copy = join(home, `${basename(packageRoot)}-${await versionOf(packageRoot)}`)
  if (await isThere(copy)) return copy

  const unfinished = join(home, draftName('copy'))
  await openDirectory(home)
  await removeOldDrafts(home)
  await openDirectory(unfinished)
  try {
    await copyTree(join(packageRoot, 'native'), join(unfinished, 'native'))
    await hydrate(unfinished)
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another starter finished the same copy first.
    if (!(await isThere(copy))) throw error
  }
  return copy
}

async function versionOf(packageRoot: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'))
  return String((manifest as { version?: unknown }).version)
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Modes are set, not inherited: root's umask is often 077, and another account must read this. */
async function openDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await chmod(path, 0o755)
}

/** Leaves out what only compilers need, and links, which hydrate() makes anew. */
async function copyTree(from: string, to: string): Promise<void> {
  await openDirectory(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory() && entry.name !== 'pgxs' && entry.name !== 'pkgconfig') {
      await copyTree(source, target)
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, ((await stat(source)).mode & 0o100) === 0 ? 0o644 : 0o755)
    }
  }
}
