import { durableFolder } from '../folder.ts'
import type { Adapter, DurableSubject, Hooks, OpenOptions, RunInput } from './subject.ts'

interface Step {
  run(config: { name: string }, work: () => Promise<number> | number): Promise<number>
  sleep(name: string, time: string): Promise<void>
  waitForSignal(options: { signal: string }): Promise<{ data: number } | null>
}

interface OpenWorkflow {
  implementWorkflow(
    spec: { name: string },
    run: (given: { input: RunInput; step: Step }) => Promise<void>,
  ): void
  newWorker(options: { concurrency?: number }): { start(): Promise<void>; stop(): Promise<void> }
  runWorkflow(spec: { name: string }, input: RunInput): Promise<unknown>
  sendSignal(options: { signal: string; data: number }): Promise<unknown>
}

interface Backend {
  stop(): Promise<void>
}

interface Core {
  readonly OpenWorkflow: new (options: { backend: Backend }) => OpenWorkflow
}

interface OnPostgres {
  readonly BackendPostgres: { connect(url: string): Promise<Backend> }
}

const spec = { name: 'bench' }

export const openWorkflow: DurableSubject = {
  name: 'openworkflow',
  title: 'openworkflow 0.10',
  settings: 'defaults: 1 run at once, lease of 30 s',
  recovery: 'any worker, once the lease of 30 s is over',
  unfinished: `
    select count(*)::int as unfinished from openworkflow.workflow_runs
    where status in ('pending', 'running', 'sleeping')`,
  open: openOpenWorkflow,
}

async function openOpenWorkflow({ url }: OpenOptions): Promise<Adapter> {
  const { OpenWorkflow } = await durableFolder.import<Core>('openworkflow')
  const { BackendPostgres } = await durableFolder.import<OnPostgres>('openworkflow/postgres')
  let opened: Promise<{ backend: Backend; workflows: OpenWorkflow }> | undefined
  let stop: (() => Promise<unknown>) | undefined
  const get = () => {
    // Connecting installs the tables.
    opened ??= BackendPostgres.connect(url).then((backend) => ({
      backend,
      workflows: new OpenWorkflow({ backend }),
    }))
    return opened
  }
  return {
    install: get,
    start: async (runs) => {
      const { workflows } = await get()
      for (const run of runs) await workflows.runWorkflow(spec, run)
    },
    signal: async (run, sentMs) =>
      (await get()).workflows.sendSignal({ signal: `go ${run}`, data: sentMs }),
    work: async ({ hooks, atOnce }) => {
      const { workflows } = await get()
      workflows.implementWorkflow(spec, ({ input, step }) => bench(input, step, hooks))
      const worker = workflows.newWorker(atOnce === undefined ? {} : { concurrency: atOnce })
      await worker.start()
      stop = () => worker.stop()
    },
    close: async () => {
      await stop?.()
      await (await opened)?.backend.stop()
    },
  }
}

async function bench({ run, kind, steps, sleepMs }: RunInput, step: Step, hooks: Hooks) {
  for (let n = 1; n <= steps; n++) await step.run({ name: `step ${n}` }, () => hooks.step(run, n))
  if (kind === 'signal') {
    const signal = await step.waitForSignal({ signal: `go ${run}` })
    hooks.woken(signal?.data ?? Number.NaN)
  }
  if (kind === 'sleep') {
    const until = await step.run({ name: 'bedtime' }, () => hooks.bedtime(sleepMs))
    await step.sleep('sleep', `${sleepMs}ms`)
    hooks.woken(until)
  }
  await hooks.ended(run)
}
