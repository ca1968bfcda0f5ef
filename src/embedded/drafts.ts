import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from './process-table.ts'

/** No draft takes this long; one this old is dead even if its pid was given to another. */
const abandonedAfterMs = 3_600_000

/** A name for a directory in the making, which tells whose it is until it is renamed. */
export function draftName(what: 'init' | 'copy'): string {
  return `${what}-${process.pid}-${randomBytes(4).toString('hex')}`
}

/** Removes the drafts of processes that died before their rename. */
export async function removeOldDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const pid = /^(?:init|copy)-(\d+)-/.exec(name)?.[1]
    if (pid === undefined) continue
    const draft = join(directory, name)
    const isAbandoned = !isAlive(Number(pid)) || (await ageMs(draft)) > abandonedAfterMs
    if (isAbandoned) await rm(draft, { recursive: true, force: true })
  }
}

async function ageMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined ? 0 : Date.now() - found.mtimeMs
}
