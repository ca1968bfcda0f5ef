import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { isAlive } from '../../src/embedded/process-table.ts'
import { launchIn, query, test } from '../support/home.ts'
import { type InstalledProject, installProject } from '../support/installed-project.ts'
import { until } from '../support/until.ts'

/** A process that has nothing to do with Postgres, run by the account that owns the cluster. */
async function stranger(data: string) {
  const { uid } = await stat(data)
  const child = spawn('sleep', ['600'], { cwd: '/', ...(process.getuid?.() === 0 ? { uid } : {}) })
  await new Promise((done) => child.once('spawn', done))
  return { pid: child.pid ?? 0, end: () => child.kill('SIGKILL') }
}

/** Programs of Postgres whose first start ends as one does while a backend of the dead server writes its last line. */
async function stumblingPrograms(real: string, home: string): Promise<string> {
  const bin = join(home, 'stumbling')
  const met = join(bin, 'met')
  await mkdir(bin)
  await chmod(bin, 0o777)
  await symlink(join(real, 'initdb'), join(bin, 'initdb'))
  const script = `#!/bin/sh
if [ "$1" = -D ] && [ ! -e '${met}' ]; then
  touch '${met}'
  echo 'FATAL:  pre-existing shared memory block is still in use' >&2
  echo 'FATAL:  terminating connection due to unexpected postmaster exit' >&2
  exit 1
fi
exec '${join(real, 'postgres')}' "$@"
`
  await writeFile(join(bin, 'postgres'), script, { mode: 0o755 })
  return bin
}

describe('after a crash', () => {
  let project: InstalledProject
  beforeAll(async () => {
    project = await installProject()
  })
  afterAll(() => project.remove())

  test('a killed postmaster starts again with every committed row', async ({ home }) => {
    const cluster = await launchIn(home)
    await query(cluster.url, 'create table kept as select 42 as answer')
    process.kill(cluster.pid, 'SIGKILL')

    const again = await launchIn(home)

    expect(again.pid).not.toBe(cluster.pid)
    expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test('a start that met backends of the dead server is tried again, whatever they wrote last', async ({
    home,
  }) => {
    const cluster = await launchIn(home)
    const real = dirname(await readlink(`/proc/${cluster.pid}/exe`))
    process.kill(cluster.pid, 'SIGKILL')
    await until(async () => !isAlive(cluster.pid))

    const again = await launchIn(home, { bin: await stumblingPrograms(real, home) })

    expect(await readFile(join(home, 'pg18', 'postgres.log'), 'utf8')).toContain('still in use')
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a pid file whose pid went to a stranger does not stop the start', async ({ home }) => {
    const cluster = await launchIn(home)
    const pidFile = join(cluster.dataDirectory, 'postmaster.pid')
    const before = await readFile(pidFile, 'utf8')
    process.kill(cluster.pid, 'SIGKILL')
    await until(async () => !isAlive(cluster.pid))
    const other = await stranger(cluster.dataDirectory)
    await writeFile(pidFile, before.replace(/^\d+/, String(other.pid)))

    const again = await launchIn(home)

    expect(again.attached).toBe(false)
    expect(isAlive(other.pid)).toBe(true)
    other.end()
  })

  test('a killed starter leaves the server to the next', async ({ home }) => {
    const env = { TUSK_HOME: home, TUSK_HTTP_PORT: '0' }
    const starter = project.tusk(['start'], { env })
    await starter.says('postgres://')
    starter.send('SIGKILL')
    await starter.ended
    const orphan = await findRunning(home)

    const next = await launchIn(home, { bin: undefined })

    expect(next).toMatchObject({ attached: true, pid: orphan?.pid })
  })

  test('half a cluster of a dead starter is swept away', async ({ home }) => {
    const dead = spawn('true')
    await new Promise((done) => dead.once('exit', done))
    const draft = join(home, `init-${dead.pid}-0a0a0a0a`)
    await mkdir(join(draft, 'data'), { recursive: true })

    await launchIn(home)

    expect(existsSync(draft)).toBe(false)
  })

  test('half a cluster of a starter at work is left alone', async ({ home }) => {
    const draft = join(home, `init-${process.pid}-0a0a0a0a`)
    await mkdir(draft)

    await launchIn(home)

    expect(existsSync(draft)).toBe(true)
  })
})

describe('a cluster that cannot be read', () => {
  test('is reported in words, with a way around it', async ({ home }) => {
    // Every reader, root included, is refused.
    const pidFile = join(home, 'pg18', 'data', 'postmaster.pid')
    await mkdir(pidFile, { recursive: true })

    await expect(findRunning(home)).rejects.toMatchObject({
      code: 'postgres_unavailable',
      message: expect.stringContaining(`the cluster ${join(home, 'pg18')} cannot be read`),
      hint: expect.stringContaining('TUSK_HOME'),
    })

    await rm(pidFile, { recursive: true })
  })
})
