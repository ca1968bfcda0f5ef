import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { durableFolder } from '../folder.ts'
import type { Adapter, DurableSubject, OpenOptions } from './subject.ts'
import { type Handler, serveWorkflow } from './vercel-server.ts'

const run = promisify(execFile)

interface World {
  start(): Promise<void>
  close(): Promise<void>
}

interface OnPostgres {
  createWorld(config: { connectionString: string }): World
}

interface Runtime {
  setWorld(world: World): void
  start(workflow: { workflowId: string }, args: readonly unknown[]): Promise<unknown>
}

const folder = join(durableFolder.directory, 'vercel')
const bundles = join(folder, '.well-known', 'workflow', 'v1')
const packages = join(durableFolder.directory, 'node_modules', '@workflow')
/** `workflow build` names it after its file. */
const workflow = { workflowId: 'workflow//./bench-workflow//bench' }
/** No process listens on this port, because a process that only starts runs must not execute any. */
const closedPort = '1'

export const vercel: DurableSubject = {
  name: 'vercel',
  title: 'Vercel Workflow 4 on Postgres',
  settings: 'defaults: `@workflow/world-postgres`, 10 jobs at once',
  recovery: 'a process that starts; jobs that a dead process held are locked for 4 h',
  unfinished: `
    select count(*)::int as unfinished from workflow.workflow_runs
    where status in ('pending', 'running')`,
  only: ['kill'],
  prepare: async () => {
    if (existsSync(join(bundles, 'flow.js'))) return
    const build = join(packages, 'cli', 'bin', 'run.js')
    await run(durableFolder.node, [build, 'build', '--target', 'standalone'], { cwd: folder })
  },
  open: openVercel,
}

async function openVercel({ url }: OpenOptions): Promise<Adapter> {
  let stopServing: (() => Promise<unknown>) | undefined
  let world: World | undefined
  const runtime = () => durableFolder.import<Runtime>('@workflow/core/runtime')
  /** The port is read when the world is created. */
  const enter = async (port: string) => {
    if (world !== undefined) return
    process.env['PORT'] = port
    const { createWorld } = await durableFolder.import<OnPostgres>('@workflow/world-postgres')
    world = createWorld({ connectionString: url })
    ;(await runtime()).setWorld(world)
    await world.start()
  }
  return {
    install: () => {
      const env = { ...process.env, WORKFLOW_POSTGRES_URL: url }
      return run(process.execPath, [join(packages, 'world-postgres', 'dist', 'cli.js')], { env })
    },
    start: async (runs) => {
      await enter(closedPort)
      for (const input of runs) await (await runtime()).start(workflow, [input])
    },
    signal: () => Promise.reject(new Error('it takes part in the kill test only')),
    work: async ({ hooks }) => {
      Object.assign(globalThis, { benchHooks: hooks })
      const require = createRequire(join(bundles, 'index.js'))
      const { port, close } = await serveWorkflow((name) => {
        const { POST } = require(`./${name}.js`) as { POST: Handler }
        return POST
      })
      stopServing = close
      await enter(String(port))
    },
    close: async () => {
      await world?.close()
      await stopServing?.()
    },
  }
}
