import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { test } from '../support/processes.ts'
import { until } from '../support/until.ts'

const sql = fileURLToPath(new URL('../../sql', import.meta.url))

const script = `
  const { openTestTusk } = await import(process.env.BUILD + '/dist/testing/index.js')
  const here = await openTestTusk({ tasks: { greet: () => 'hello' } })
  const { output } = await here.waitFor(await here.tusk.enqueue('greet'))
  console.log(output)`

test.runIf(process.platform !== 'win32')(
  'a test process that is killed leaves no Postgres behind',
  async ({ build }) => {
    await symlink(sql, join(build, 'sql'))
    const temporary = await mkdtemp(join(tmpdir(), 'tusk-killed-'))
    await chmod(temporary, 0o755)
    const env = { PATH: process.env['PATH'], BUILD: build, TMPDIR: temporary }
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(child.stdout, 'data')
    expect(String(said)).toBe('hello\n')
    expect(await readdir(temporary)).toHaveLength(1)

    child.kill('SIGKILL')

    await until(async () => (await readdir(temporary)).length === 0)
    await rm(temporary, { recursive: true })
  },
)
