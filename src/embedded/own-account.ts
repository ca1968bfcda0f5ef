import { randomInt } from 'node:crypto'
import { chmod, lchown, lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'

/**
 * Beyond the numbers that login, systemd, containers and subordinate ids are given, and below 2^31. A
 * number that is drawn by chance from so many is not drawn twice.
 */
const firstUid = 2_000_000_000
const lastUid = 2_099_999_999

/**
 * An account for one cluster alone: a number that no account has. The superuser of a cluster can run
 * programs as its account, and so read and change every other cluster of that account. Postgres needs no
 * entry in /etc/passwd; only initdb does. Undefined where such numbers cannot be had, as in a container
 * with a map of few.
 */
export async function drawAccount(): Promise<Account | undefined> {
  if (process.platform !== 'linux') return undefined
  const [passwd, map] = await Promise.all([
    readFile('/etc/passwd', 'utf8').catch(() => ''),
    readFile('/proc/self/uid_map', 'utf8').catch(() => ''),
  ])
  const taken = new Set(passwd.split('\n').map((line) => Number(line.split(':')[2])))
  const groups = await readFile('/proc/self/gid_map', 'utf8').catch(() => '')
  if (!covers(map) || !covers(groups)) return undefined
  for (;;) {
    const uid = randomInt(firstUid, lastUid + 1)
    if (!taken.has(uid)) return { name: `uid ${uid}`, uid, gid: uid }
  }
}

/** Whether the numbers of our range mean anything here. */
function covers(map: string): boolean {
  return map.split('\n').some((line) => {
    const [first = Number.NaN, , count = Number.NaN] = line.trim().split(/\s+/).map(Number)
    return first <= firstUid && first + count > lastUid
  })
}

/**
 * Gives a directory with all that is in it to an account. Its owner until now may still have it open: each
 * directory is taken by root before anything in it is looked at, so that no link can be put in the way.
 */
export async function handOver(path: string, account: Account): Promise<void> {
  await lchown(path, 0, 0)
  await chmod(path, 0o700)
  for (const name of await readdir(path)) {
    const entry = join(path, name)
    const found = await lstat(entry)
    if (found.isDirectory()) await handOver(entry, account)
    else if (found.isFile() && found.nlink === 1) {
      await chmod(entry, 0o600)
      await lchown(entry, account.uid, account.gid)
    } else throw new Error(`${entry} is neither a file nor a directory of the new cluster`)
  }
  await lchown(path, account.uid, account.gid)
}
