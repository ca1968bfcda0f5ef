import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Account } from './account.ts'
import { type Installation, probe, program } from './installation.ts'

/** The oldest Postgres the engine runs on. */
export const oldestMajor = 14

/** Where distributions and installers put Postgres; a star stands for one name's unknown part. */
const usualPlaces = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/libexec/postgresql*',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
  'C:\\Program Files\\PostgreSQL\\*\\bin',
]

export function systemPlaces(): string[] {
  return [...usualPlaces, ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean)]
}

/** The newest Postgres of the machine that runs for the account and is new enough. */
export async function findSystem(
  places: readonly string[],
  account: Account | undefined,
): Promise<Installation | undefined> {
  const directories = new Set((await Promise.all(places.map(expand))).flat())
  const found = await Promise.all([...directories].map((bin) => probeQuietly(bin, account)))
  return found
    .filter((each) => each !== undefined)
    .filter(({ major }) => major >= oldestMajor)
    .sort((a, b) => b.major - a.major)[0]
}

/** Goes on after an installation that does not run: the next place may have a better one. */
async function probeQuietly(
  bin: string,
  account: Account | undefined,
): Promise<Installation | undefined> {
  try {
    await access(program(bin, 'initdb'))
    return await probe(bin, account)
  } catch {
    return undefined
  }
}

async function expand(place: string): Promise<string[]> {
  const match = /^(.*)[/\\]([^/\\]*)\*([^/\\]*)(.*)$/.exec(place)
  if (match === null) return [place]
  const [, parent = '', before = '', after = '', rest = ''] = match
  const names = await readdir(parent).catch(() => [])
  return names
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => join(parent, name, rest))
}
