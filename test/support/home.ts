import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { test as base } from 'vitest'
import { stopAll } from '../../src/embedded/inspect.ts'
import { type Cluster, type LaunchOptions, launch } from '../../src/embedded/launch.ts'

/** A state directory for one test; what runs in it is stopped, and it is removed. */
export const test = base.extend<{ home: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from this pattern.
  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'tusk-home-'))
    await use(home)
    await stopAll(home)
    await rm(home, { recursive: true })
  },
})

/** Launches on the Postgres this run is about. */
export function launchIn(home: string, options: LaunchOptions = {}): Promise<Cluster> {
  const bin = process.env['TUSK_TEST_POSTGRES_BIN'] || undefined
  return launch({ stateDirectory: home, mode: 'test', bin, ...options })
}

/** Runs one statement and gives its rows. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
