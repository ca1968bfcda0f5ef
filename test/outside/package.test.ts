import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { checkPackage } from '../../build/release/package.mjs'
import { openProject } from '../../build/release/project.mjs'
import { test } from '../support/engine.ts'
import { whyNoRegistry } from '../support/outside.ts'
import { copyCheckout, type PackedCheckout } from '../support/packed.ts'

const missing = await whyNoRegistry()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`
const execute = promisify(execFile)

/** A task through each door that stands on a dependency: pg, zod, hono, pino, the SQL parser. */
const program = `
import pg from 'pg'
import { startWorker, Tusk } from 'pgtusk'
import { createHttp } from 'pgtusk/http'

const { SCHEMA: schema, DATABASE_URL: database } = process.env
const pool = new pg.Pool({ connectionString: database })
const tasks = { greet: async ({ name }) => 'Hello, ' + name }
const tusk = await Tusk.open({ database: pool, schema, tasks })
const worker = await startWorker({ database, schema, tasks, sql: true, leaseMs: 2_000 })
const http = await createHttp({ tusk })
const { token } = await tusk.tokens.create({ name: 'test', scopes: ['enqueue'] })
const answer = await http.fetch(new Request('http://localhost/api/v1/tasks', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json', prefer: 'wait=60' },
  body: JSON.stringify({ queue: 'greet', payload: { name: 'Ada' } }),
}))
const { task } = await answer.json()
const sql = await (await tusk.sql('select 6 * 7 as answer; select 1')).wait()
console.log(JSON.stringify([answer.status, task.output, sql.results?.[0]?.rows ?? sql]))
await http.close()
await worker.stop()
await tusk.close()
await pool.end()
`

describe.skipIf(missing !== undefined)(`the package${skipped}`, () => {
  let checkout: PackedCheckout
  let tarball: string
  let projects: string
  let count = 0

  beforeAll(async () => {
    checkout = await copyCheckout()
    tarball = await checkout.pack()
    projects = await mkdtemp(join(tmpdir(), 'tusk-package-'))
  })

  afterAll(async () => {
    await checkout.remove()
    await rm(projects, { recursive: true, force: true })
  })

  async function newProject(): Promise<string> {
    count += 1
    const folder = join(projects, String(count))
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    return folder
  }

  async function run(cwd: string, command: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const { NODE_OPTIONS: _, VITEST: __, NODE_ENV: ___, ...env } = process.env
    const [file = '', ...args] = command
    try {
      const options = { cwd, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 }
      return (await execute(file, args, options)).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`${command.join(' ')}\n${stdout}\n${stderr}`, { cause: error })
    }
  }

  const install = (folder: string, ...what: string[]) =>
    run(folder, ['npm', 'install', '--omit=optional', '--no-audit', '--no-fund', ...what])

  test('has every file it leads to, and nothing else', async () => {
    expect(await checkPackage(await openProject(checkout.directory))).toEqual([])
  })

  test('is what publint and arethetypeswrong expect', async () => {
    const tools = await newProject()
    await install(tools, 'publint@0.3.25', '@arethetypeswrong/cli@0.18.5')
    await run(tools, ['npx', 'publint', tarball, '--strict'])
    await run(tools, ['npx', 'attw', tarball, '--profile', 'esm-only'])
  })

  test('leads from its code to its sources', async () => {
    const user = await newProject()
    await run(user, ['tar', '-xzf', tarball])
    const map = JSON.parse(await readFile(join(user, 'package/dist/client/tusk.js.map'), 'utf8'))
    const source = await readFile(join(user, 'package/dist/client', map.sources[0]), 'utf8')

    expect(source).toContain('export class Tusk')
  })

  test.for(['8.16.0', '8.20.0', '8.23.1'])(
    'shares one copy of pg with an application that has pg %s',
    async (version) => {
      const user = await newProject()
      await install(user, '--package-lock-only', `pg@${version}`, tarball)
      const lock = JSON.parse(await readFile(join(user, 'package-lock.json'), 'utf8'))
      const copies = Object.keys(lock.packages).filter((path) => path.endsWith('node_modules/pg'))

      expect(copies).toEqual(['node_modules/pg'])
      expect(lock.packages['node_modules/pg'].version).toBe(version)
    },
  )

  test('works with the oldest version of each dependency that it allows', async ({
    schema,
    db,
  }) => {
    await db.query('select')
    const { manifest } = await openProject(checkout.directory)
    const ranges = Object.entries<string>(manifest['dependencies'])
    const oldest = ranges.map(([name, range]) => `${name}@${range.replace(/^\^/, '')}`)
    const user = await newProject()
    await install(user, '--save-exact', ...oldest, tarball)
    await writeFile(join(user, 'main.mjs'), program)
    const env = { DATABASE_URL: inject('pgUrl'), SCHEMA: schema }

    const said = await run(user, [process.execPath, 'main.mjs'], env)
    const listed = await run(user, ['npx', 'tusk', 'task', 'list'], {
      DATABASE_URL: inject('pgUrl'),
      TUSK_SCHEMA: schema,
    })

    expect(ranges.every(([, range]) => range.startsWith('^'))).toBe(true)
    expect(said).toContain('[201,"Hello, Ada",[["42"]]]')
    expect(listed).toContain('greet')
  })
})
