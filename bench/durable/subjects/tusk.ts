import { migrate } from '../../../src/db/migrate.ts'
import { type Context, startWorker, Tusk } from '../../../src/index.ts'
import type { Adapter, DurableSubject, Hooks, OpenOptions, RunInput } from './subject.ts'

export const tusk: DurableSubject = {
  name: 'tusk',
  title: 'Tusk',
  settings: 'defaults: 10 handlers at once, lease of 15 s, chores on',
  recovery: 'any worker, once the lease of 15 s is over',
  unfinished: 'select coalesce(sum(size), 0)::int as unfinished from tusk.tasks',
  open: openTusk,
}

async function openTusk({ url }: OpenOptions): Promise<Adapter> {
  let client: Promise<Tusk> | undefined
  let stop: (() => Promise<unknown>) | undefined
  const opened = () => {
    client ??= Tusk.open({ database: url })
    return client
  }
  return {
    install: () => migrate(url),
    start: async (runs) =>
      (await opened()).enqueueTasks(
        runs.map((payload) => ({ queue: 'bench', key: payload.run, payload })),
      ),
    signal: async (run, sentMs) =>
      (await opened()).tasks.signal({ queue: 'bench', key: run }, 'go', sentMs),
    work: async ({ hooks, atOnce }) => {
      const worker = await startWorker({
        database: url,
        tasks: { bench: (input: RunInput, ctx: Context) => bench(input, ctx, hooks) },
        signals: false,
        logger: false,
        ...(atOnce === undefined ? {} : { concurrency: atOnce }),
      })
      stop = () => worker.stop()
    },
    close: async () => {
      await stop?.()
      await (await client)?.close()
    },
  }
}

async function bench({ run, kind, steps, sleepMs }: RunInput, ctx: Context, hooks: Hooks) {
  for (let n = 1; n <= steps; n++) await ctx.step(`step ${n}`, () => hooks.step(run, n))
  if (kind === 'signal') hooks.woken(Number(await ctx.receive('go')))
  if (kind === 'sleep') {
    const until = await ctx.step('bedtime', () => hooks.bedtime(sleepMs))
    await ctx.delay('sleep', sleepMs)
    hooks.woken(until)
  }
  await hooks.ended(run)
}
