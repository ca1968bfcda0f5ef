import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { bundledName, bundledPackages, bundledVersion } from '../../src/embedded/bundled.ts'
import { stopAll } from '../../src/embedded/inspect.ts'
import { launch } from '../../src/embedded/launch.ts'
import { findSystem, systemPlaces } from '../../src/embedded/system.ts'
import { query, test } from '../support/home.ts'
import { type InstalledProject, installProject } from '../support/installed-project.ts'

const isRoot = process.getuid?.() === 0
const nobodyUid = isRoot ? Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' })) : -1
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

      const started = await project.tusk(['db', 'start'], { env, uid: nobodyUid }).ended
      const stopped = await project.tusk(['db', 'stop'], { env, uid: nobodyUid }).ended

      expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^postgres:\/\//) })
      expect(stopped).toMatchObject({ code: 0 })
      expect(await readdir(env.TUSK_HOME)).toEqual(['binaries', 'pg18'])
      expect((await stat(join(env.TUSK_HOME, 'pg18', 'data'))).uid).toBe(nobodyUid)
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
      expect((await stat(`/proc/${cluster.pid}`)).uid).toBeGreaterThan(0)
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

  test('names the command that installs what npm was configured to leave out', async ({ home }) => {
    const manifest = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { optionalDependencies: Record<string, string> }
    const { optionalDependencies: optional } = manifest
    expect(new Set(Object.keys(optional))).toEqual(new Set(bundledPackages))
    expect(new Set(Object.values(optional))).toEqual(new Set([bundledVersion]))

    const nowhere = { stateDirectory: home, bundled: null, systemPlaces: [join(home, '*', 'bin')] }
    const command = `npm install --save-dev ${bundledName()}@${bundledVersion}`
    await expect(launch(nowhere)).rejects.toMatchObject({
      hint: `Run \`${command}\`, or set DATABASE_URL to a Postgres you already have.`,
    })
  })

  test('says which directory has no Postgres when it is configured', async ({ home }) => {
    await expect(launch({ stateDirectory: home, bin: home })).rejects.toMatchObject({
      code: 'postgres_unavailable',
      message: expect.stringContaining(`the Postgres in ${home} does not run`),
    })
  })
})

describe('who Postgres runs as', () => {
  test.skipIf(!isRoot)(
    'root hands it to an account of its own, which owns the data and nothing else',
    async ({ home }) => {
      const cluster = await launch({ stateDirectory: home, mode: 'test' })
      const other = await launch({ stateDirectory: join(home, 'other'), mode: 'test' })

      const { uid, mode } = await stat(cluster.dataDirectory)
      const { uid: otherUid } = await stat(other.dataDirectory)
      const names = execFileSync('getent', ['passwd'], { encoding: 'utf8' }).split('\n')
      expect(mode & 0o777).toBe(0o700)
      expect((await stat(`/proc/${cluster.pid}`)).uid).toBe(uid)
      expect([0, nobodyUid, otherUid]).not.toContain(uid)
      expect(names.filter((line) => line.split(':')[2] === String(uid))).toEqual([])
      expect((await stat(join(home, 'pg18'))).uid).toBe(0)
      const password = await stat(join(home, 'pg18', 'password'))
      expect({ uid: password.uid, mode: password.mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 })
      await stopAll(join(home, 'other'))
    },
  )

  test.skipIf(!isRoot)(
    'its superuser reads nothing of another cluster of root',
    async ({ home }) => {
      await chmod(home, 0o711)
      const [one, other] = await Promise.all(
        ['one', 'other'].map((name) => launch({ stateDirectory: join(home, name), mode: 'test' })),
      )
      const read = (path: string) => query(one?.url ?? '', `select pg_read_file('${path}') as text`)

      expect(await read(join(one?.dataDirectory ?? '', 'PG_VERSION'))).toEqual([{ text: '18\n' }])
      await expect(read(join(other?.dataDirectory ?? '', 'PG_VERSION'))).rejects.toThrow(
        'Permission denied',
      )
      await expect(
        query(one?.url ?? '', `copy (select 1) to program 'kill -9 ${other?.pid}'`),
      ).rejects.toMatchObject({ code: '38000' })
      await Promise.all(['one', 'other'].map((name) => stopAll(join(home, name))))
    },
  )

  test.skipIf(!isRoot)('a cluster of the account `nobody` goes on as it was', async ({ home }) => {
    const before = await launch({ stateDirectory: home, mode: 'test', account: 'nobody' })
    await query(before.url, 'create table kept as select 42 as answer')
    await before.stop()

    const again = await launch({ stateDirectory: home, mode: 'test' })

    expect((await stat(`/proc/${again.pid}`)).uid).toBe(nobodyUid)
    expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

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
