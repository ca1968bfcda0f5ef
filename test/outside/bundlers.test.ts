import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { test } from '../support/engine.ts'
import { type OutsideProject, openOutsideProject, whyNoRegistry } from '../support/outside.ts'

const missing = await whyNoRegistry()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`

/** Enqueues, works, waits, migrates: everything that reads files or starts threads where it is not bundled. */
const program = `
import { migrate, startWorker, Tusk } from 'pgtusk'

const schema = process.env.SCHEMA
const options = { schema, roles: false }
// The schema of the test may have been made with other roles.
await migrate(process.env.DATABASE_URL, options)
const { applied } = await migrate(process.env.DATABASE_URL, options)
const tasks = { greet: async ({ name }) => 'Hello, ' + name }
const tusk = await Tusk.open({ schema, tasks })
const worker = await startWorker({ schema, tasks, logger: false, leaseMs: 1_000 })
const task = await tusk.enqueue('greet', { name: 'Ada' })
const slow = new Promise((done) => setTimeout(done, 2_000))
console.log(JSON.stringify({ output: await task.wait(), applied: applied.length }))
await slow
console.log((await tusk.workers.list()).length, 'worker')
await worker.stop()
await tusk.close()
`

/** The parser of SQL is a file of the package, which a bundle does not have. */
const sqlProgram = `
import { startWorker, Tusk } from 'pgtusk'

const schema = process.env.SCHEMA
const tusk = await Tusk.open({ schema })
const worker = await startWorker({ schema, sql: true, logger: false, chores: false })
try {
  const task = await tusk.sql('select 6 * 7 as answer; select 1', { maxAttempts: 1 })
  const { results } = await task.wait()
  console.log('answer', results[0].rows[0][0])
} finally {
  await worker.stop()
  await tusk.close()
}
`

/** As a CommonJS bundle can have it: without await at the top. */
const wrap = (text: string) => {
  const [line = ''] = /^import .*$/m.exec(text) ?? []
  return `${line}\n(async () => {${text.replace(line, '')}})()`
}

describe.skipIf(missing !== undefined)(`an application that is bundled${skipped}`, () => {
  let project: OutsideProject
  let elsewhere: string

  beforeAll(async () => {
    project = await openOutsideProject()
    await project.install('esbuild@0.28', 'webpack@5', 'webpack-cli@6')
    await project.write({
      ...{ 'main.mjs': program, 'wrapped.mjs': wrap(program) },
      ...{ 'sql.mjs': sqlProgram, 'wrapped-sql.mjs': wrap(sqlProgram) },
    })
    // Bundles run where no package is installed.
    elsewhere = await mkdtemp(join(tmpdir(), 'tusk-bundle-'))
  })

  afterAll(async () => {
    await project.remove()
    await rm(elsewhere, { recursive: true })
  })

  const cases = [
    ['esbuild', 'esm'],
    ['esbuild', 'cjs'],
    ['webpack', 'cjs'],
  ] as const

  /** Bundles a program of the project into a folder, and gives the path of what came out. */
  async function bundle(
    [bundler, format]: (typeof cases)[number],
    program: string,
    folder: string,
  ): Promise<string> {
    const name = `${bundler}-${program.replace(/\.mjs$/, '')}.${format === 'esm' ? 'mjs' : 'cjs'}`
    if (bundler === 'webpack') {
      await project.write({
        'webpack.config.cjs': `module.exports = {
          mode: 'production', target: 'node', entry: './${program}', node: false,
          output: { path: ${JSON.stringify(folder)}, filename: '${name}' },
        }`,
      })
      await project.run('npx', ['webpack', '--config', 'webpack.config.cjs'])
      return join(folder, name)
    }
    // The dependencies of pg are CommonJS, and ask for require().
    const banner =
      "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
    await project.run('npx', [
      ...['esbuild', program, '--bundle', '--platform=node', `--format=${format}`],
      ...[`--outfile=${join(folder, name)}`, '--log-level=error'],
      ...(format === 'esm' ? [`--banner:js=${banner}`] : []),
    ])
    return join(folder, name)
  }

  test.for(cases)(
    'by %s to %s enqueues and works, without any other file',
    async (way, { schema, db }) => {
      await db.query('select')
      const out = await bundle(way, way[1] === 'esm' ? 'main.mjs' : 'wrapped.mjs', elsewhere)
      const env = { DATABASE_URL: inject('pgUrl'), SCHEMA: schema }
      const said = await project.run(process.execPath, [out], env)
      expect(said).toContain('{"output":"Hello, Ada","applied":0}')
      expect(said).toContain('1 worker')
    },
  )

  // A bundle of webpack finds the package where it was made, so on this machine it is never without it.
  test.for(cases.filter(([bundler]) => bundler === 'esbuild'))(
    'by %s to %s runs SQL where the package is installed, and says so where it is not',
    async (way, { schema, db }) => {
      await db.query('select')
      const env = { DATABASE_URL: inject('pgUrl'), SCHEMA: schema }
      const program = way[1] === 'esm' ? 'sql.mjs' : 'wrapped-sql.mjs'
      const folder = join(project.directory, `bundled-${way.join('-')}`)
      const inProject = await bundle(way, program, folder)
      expect(await project.run(process.execPath, [inProject], env)).toContain('answer 42')

      const alone = join(elsewhere, basename(folder))
      await cp(folder, alone, { recursive: true })
      const line = `cd ${alone} && exec ${process.execPath} ./${basename(inProject)}`
      await expect(project.run('sh', ['-c', line], env)).rejects.toThrow(
        'SQL tasks need the package pgtusk beside the bundle',
      )
    },
  )
})
