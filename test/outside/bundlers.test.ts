import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const wrapped = `(async () => {${program.replace(/^import .*$/m, '')}})()`
const commonjs = `import { migrate, startWorker, Tusk } from 'pgtusk'\n${wrapped}`

describe.skipIf(missing !== undefined)(`an application that is bundled${skipped}`, () => {
  let project: OutsideProject
  let elsewhere: string

  beforeAll(async () => {
    project = await openOutsideProject()
    await project.install('esbuild@0.28', 'webpack@5', 'webpack-cli@6')
    await project.write({ 'main.mjs': program, 'wrapped.mjs': commonjs })
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

  test.for(cases)(
    'by %s to %s enqueues and works, without any other file',
    async ([bundler, format], { schema, db }) => {
      await db.query('select')
      const out = join(elsewhere, `${bundler}.${format === 'esm' ? 'mjs' : 'cjs'}`)
      if (bundler === 'esbuild') {
        const entry = format === 'esm' ? 'main.mjs' : 'wrapped.mjs'
        // The dependencies of pg are CommonJS, and ask for require().
        const banner =
          "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
        await project.run('npx', [
          ...['esbuild', entry, '--bundle', '--platform=node', `--format=${format}`],
          ...[`--outfile=${out}`, '--log-level=error'],
          ...(format === 'esm' ? [`--banner:js=${banner}`] : []),
        ])
      } else {
        await project.write({
          'webpack.config.cjs': `module.exports = {
          mode: 'production', target: 'node', entry: './wrapped.mjs', node: false,
          output: { path: ${JSON.stringify(elsewhere)}, filename: 'webpack.cjs' },
        }`,
        })
        await project.run('npx', ['webpack', '--config', 'webpack.config.cjs'])
      }
      const env = { DATABASE_URL: inject('pgUrl'), SCHEMA: schema }
      const said = await project.run(process.execPath, [out], env)
      expect(said).toContain('{"output":"Hello, Ada","applied":0}')
      expect(said).toContain('1 worker')
    },
  )
})
