import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {} from 'vitest'
import type { TestProject } from 'vitest/node'
import { launch } from '../../src/embedded/launch.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Postgres of this run: superuser, empty database, torn down afterwards. */
    pgUrl: string
  }
}

/** One Postgres for the whole run: the one in DATABASE_URL, else an embedded one of its own. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['DATABASE_URL']
  if (given) {
    project.provide('pgUrl', given)
    return undefined
  }

  const stateDirectory = await mkdtemp(join(tmpdir(), 'tusk-test-'))
  const cluster = await launch({
    stateDirectory,
    mode: 'test',
    bin: process.env['TUSK_TEST_POSTGRES_BIN'] || undefined,
    settings: { max_connections: '200' },
  })
  project.provide('pgUrl', cluster.url)

  // A run that is cut short skips its teardown, and the server would outlive it.
  const stopAnyway = () => process.kill(cluster.pid, 'SIGINT')
  process.once('exit', stopAnyway)
  return async () => {
    process.off('exit', stopAnyway)
    await cluster.stop()
    await rm(stateDirectory, { recursive: true })
  }
}
