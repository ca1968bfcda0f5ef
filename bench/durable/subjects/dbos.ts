import { durableFolder } from '../folder.ts'
import type { Adapter, DurableSubject, Hooks, OpenOptions, RunInput } from './subject.ts'

interface Dbos {
  setConfig(config: object): void
  launch(): Promise<void>
  shutdown(): Promise<void>
  registerWorkflow(
    run: (input: RunInput) => Promise<void>,
    config: { name: string },
  ): (input: RunInput) => Promise<void>
  registerQueue(name: string, options?: { workerConcurrency?: number }): Promise<unknown>
  runStep(work: () => Promise<number>, config: { name: string }): Promise<number>
  recv(topic: string): Promise<number | null>
  sleep(ms: number): Promise<void>
}

interface DbosClient {
  enqueue(options: object, input: RunInput): Promise<unknown>
  send(destination: string, message: number, topic: string): Promise<void>
  destroy(): Promise<void>
}

interface Sdk {
  readonly DBOS: Dbos
  readonly DBOSClient: { create(options: { systemDatabaseUrl: string }): Promise<DbosClient> }
}

export const dbos: DurableSubject = {
  name: 'dbos',
  title: 'DBOS 5',
  settings: 'defaults: a queue without limits, so all runs at once; an executor id per process',
  recovery: 'a process with the same executor id, when it starts; or Conductor, a paid service',
  unfinished: `
    select count(*)::int as unfinished from dbos.workflow_status
    where status in ('PENDING', 'ENQUEUED', 'DELAYED')`,
  open: openDbos,
}

async function openDbos({ url, processName }: OpenOptions): Promise<Adapter> {
  const { DBOS, DBOSClient } = await durableFolder.import<Sdk>('@dbos-inc/dbos-sdk')
  let opened: Promise<DbosClient> | undefined
  let isLaunched = false
  const client = () => {
    opened ??= DBOSClient.create({ systemDatabaseUrl: url })
    return opened
  }
  const launch = async () => {
    DBOS.setConfig({
      name: 'bench',
      systemDatabaseUrl: url,
      executorID: processName,
      applicationVersion: 'bench',
      logLevel: 'error',
      runAdminServer: false,
    })
    await DBOS.launch()
    isLaunched = true
  }
  return {
    install: async () => {
      await launch()
      await DBOS.registerQueue('bench')
      await DBOS.shutdown()
      isLaunched = false
    },
    start: async (runs) => {
      const dbosClient = await client()
      for (const input of runs) {
        const target = { queueName: 'bench', workflowName: 'bench', workflowID: input.run }
        await dbosClient.enqueue({ ...target, appVersion: 'bench' }, input)
      }
    },
    signal: async (run, sentMs) => (await client()).send(run, sentMs, 'go'),
    work: async ({ hooks, atOnce }) => {
      DBOS.registerWorkflow((input) => bench(input, DBOS, hooks), { name: 'bench' })
      await launch()
      if (atOnce !== undefined) await DBOS.registerQueue('bench', { workerConcurrency: atOnce })
    },
    close: async () => {
      if (isLaunched) await DBOS.shutdown()
      await (await opened)?.destroy()
    },
  }
}

async function bench({ run, kind, steps, sleepMs }: RunInput, DBOS: Dbos, hooks: Hooks) {
  for (let n = 1; n <= steps; n++) {
    await DBOS.runStep(() => hooks.step(run, n), { name: `step ${n}` })
  }
  if (kind === 'signal') hooks.woken((await DBOS.recv('go')) ?? Number.NaN)
  if (kind === 'sleep') {
    const until = await DBOS.runStep(async () => hooks.bedtime(sleepMs), { name: 'bedtime' })
    await DBOS.sleep(sleepMs)
    hooks.woken(until)
  }
  await hooks.ended(run)
}
