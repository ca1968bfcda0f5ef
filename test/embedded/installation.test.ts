import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { launch } from '../../src/embedded/launch.ts'
import { findSystem, systemPlaces } from '../../src/embedded/system.ts'
import { test } from '../support/home.ts'
import { type InstalledProject, installProject } from '../support/installed-project.ts'

const isRoot = process.getuid?.() === 0
const nobody = isRoot ? Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' })) : -1
const system = await findSystem(systemPlaces(), undefined)

describe('where the programs come from', () => {
  let project: InstalledProject
  beforeAll(async () => {
    project = await installProject()
  })
  afterEach(() => chmod(project.directory, 0o755))
  afterAll(() => project.remove())

  test.skipIf(!isRoot)(
    'a plain user who may not write to the install gets a copy',
    async ({ home }) => {
      await mkdir(join(home, 'user'))
      await chmod(home, 0o755)
      await chmod(join(home, 'user'), 0o777)
      const env = { TUSK_HOME: join(home, 'user', 'tusk') }

      const started = await project.tusk(['db', 'start'], { env, uid: nobody }).ended
      const stopped = await project.tusk(['db', 'stop'], { env, uid: nobody }).ended

      expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^postgres:\/\//) })
      expect(stopped).toMatchObject({ code: 0 })
      expect(await readdir(env.TUSK_HOME)).toEqual(['binaries', 'pg18'])
      expect((await stat(join(env.TUSK_HOME, 'pg18', 'data'))).uid).toBe(nobody)
    },
  )

  test.skipIf(!isRoot)(
    'programs that Postgres’s account may not read are copied',
    async ({ home }) => {
      await chmod(project.directory, 0o700)
      const umask = process.umask(0o077)

      const cluster = await launch({ stateDirectory: home, mode: 'test', bundled: project.bundled })

      process.umask(umask)
      expect(await readdir(home)).toEqual(['binaries', 'pg18'])
      expect((await stat(`/proc/${cluster.pid}`)).uid).toBe(nobody)
    },
  )

  test('programs whose install script was blocked run all the same', async ({ home }) => {
    const cluster = await launch({ stateDirectory: home, mode: 'test', bundled: project.bundled })

    expect(cluster.version).toMatch(/^18\./)
    expect(await readdir(home)).toEqual(['pg18'])
    const link = await lstat(join(project.bundled, 'native', 'lib', 'libpq.so.5'))
    expect(link.isSymbolicLink()).toBe(true)
  })

  test.skipIf(system === undefined)(
    'the machine’s Postgres serves when npm brought none',
    async ({ home }) => {
      const cluster = await launch({ stateDirectory: home, mode: 'test', bundled: null })

      expect(cluster.version).toBe(system?.version)
    },
  )

  test('says what to do when there is no Postgres at all', async ({ home }) => {
    const nowhere = { stateDirectory: home, bundled: null, systemPlaces: [join(home, '*', 'bin')] }

    await expect(launch(nowhere)).rejects.toMatchObject({
      code: 'postgres_unavailable',
      message: expect.stringMatching(/^no Postgres to run: npm installed none for \w+ \w+/),
      hint: expect.stringContaining('DATABASE_URL'),
    })
  })

  test('says which directory has no Postgres when told to use it', async ({ home }) => {
    await expect(launch({ stateDirectory: home, bin: home })).rejects.toMatchObject({
      code: 'postgres_unavailable',
      message: expect.stringContaining(`the Postgres in ${home} does not run`),
    })
  })
})

describe('who Postgres runs as', () => {
  test.skipIf(!isRoot)(
    'root hands it to nobody, who owns the data and nothing else',
    async ({ home }) => {
      const cluster = await launch({ stateDirectory: home, mode: 'test' })

      expect((await stat(`/proc/${cluster.pid}`)).uid).toBe(nobody)
      expect((await stat(cluster.dataDirectory)).uid).toBe(nobody)
      expect((await stat(join(home, 'pg18'))).uid).toBe(0)
      const password = await stat(join(home, 'pg18', 'password'))
      expect({ uid: password.uid, mode: password.mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 })
    },
  )

  test.skipIf(!isRoot)('says so when that account cannot reach the data', async ({ home }) => {
    const secret = join(home, 'private', 'tusk')
    await mkdir(secret, { recursive: true })
    await chmod(join(home, 'private'), 0o700)

    await expect(launch({ stateDirectory: secret })).rejects.toMatchObject({
      code: 'postgres_unavailable',
      message: `Postgres runs as the account nobody, which may not enter ${secret}`,
      hint: expect.stringContaining('TUSK_HOME'),
    })
  })

  test.skipIf(!isRoot)('says so when the account asked for does not exist', async ({ home }) => {
    await expect(launch({ stateDirectory: home, account: 'nosuch' })).rejects.toMatchObject({
      message: 'Postgres cannot run as root, and there is no account nosuch',
    })
  })

  test.skipIf(isRoot)('a plain user runs it as themselves', async ({ home }) => {
    const cluster = await launch({ stateDirectory: home, mode: 'test' })

    expect((await stat(cluster.dataDirectory)).uid).toBe(process.getuid?.())
  })
})
