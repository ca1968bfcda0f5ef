import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { durableFolder } from '../folder.ts'
import type { Adapter, DurableSubject, Hooks, OpenOptions, RunInput } from './subject.ts'

interface Step {
  step(name: string, work: () => Promise<number>): Promise<number>
  sleepFor(name: string, seconds: number): Promise<void>
  awaitEvent(name: string): Promise<number>
}

interface Absurd {
  createQueue(name: string): Promise<void>
  registerTask(options: object, run: (input: RunInput, ctx: Step) => Promise<void>): void
  spawn(name: string, input: RunInput, options: { queue: string }): Promise<unknown>
  emitEvent(name: string, payload: number): Promise<void>
  startWorker(options: { concurrency?: number }): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

interface Sdk {
  readonly Absurd: new (options: object) => Absurd
}

/** Its schema is not in its npm package: it comes with absurdctl, from PyPI or the repository. */
const schema = join(durableFolder.directory, 'absurd.sql')

export const absurd: DurableSubject = {
  name: 'absurd',
  title: 'Absurd 0.5',
  settings: 'defaults: 1 run at once, lease of 120 s, a look every 0.25 s',
  recovery: 'any worker, once the lease of 120 s is over',
  unfinished: `
    select count(*)::int as unfinished from absurd.t_bench
    where state in ('pending', 'running', 'sleeping')`,
  missing: () =>
    existsSync(schema)
      ? undefined
      : 'its schema is not on npm: put sql/absurd.sql of its release 0.5.0 into bench/durable',
  open: openAbsurd,
}

async function openAbsurd({ url, processName }: OpenOptions): Promise<Adapter> {
  const { Absurd } = await durableFolder.import<Sdk>('absurd-sdk')
  const log = { log() {}, info() {}, warn() {}, error() {} }
  const app = new Absurd({ db: url, queueName: 'bench', log })
  let stop: (() => Promise<unknown>) | undefined
  return {
    install: async () => {
      const client = new Client(url)
      await client.connect()
      await client.query(await readFile(schema, 'utf8'))
      await client.end()
      await app.createQueue('bench')
    },
    start: async (runs) => {
      for (const run of runs) await app.spawn('bench', run, { queue: 'bench' })
    },
    signal: (run, sentMs) => app.emitEvent(`go ${run}`, sentMs),
    work: async ({ hooks, atOnce }) => {
      app.registerTask({ name: 'bench' }, (input, ctx) => bench(input, ctx, hooks))
      const given = atOnce === undefined ? {} : { concurrency: atOnce }
      const worker = await app.startWorker({ ...given, ...{ workerId: processName } })
      stop = () => worker.close()
    },
    close: async () => {
      await stop?.()
      await app.close()
    },
  }
}

async function bench({ run, kind, steps, sleepMs }: RunInput, ctx: Step, hooks: Hooks) {
  for (let n = 1; n <= steps; n++) await ctx.step(`step ${n}`, () => hooks.step(run, n))
  if (kind === 'signal') hooks.woken(await ctx.awaitEvent(`go ${run}`))
  if (kind === 'sleep') {
    const until = await ctx.step('bedtime', async () => hooks.bedtime(sleepMs))
    await ctx.sleepFor('sleep', sleepMs / 1_000)
    hooks.woken(until)
  }
  await hooks.ended(run)
}
