import type { Tusk } from '../../client/tusk.ts'
import type { Schedules } from '../../tasks/schedule-settings.ts'
import type { Config } from '../config/config.ts'
import type { Io } from '../process/io.ts'
import { openConsoleLogger } from '../serving/console-logger.ts'
import type { Services } from '../serving/services.ts'
import { startWorker } from '../serving/start-worker.ts'
import { workerService } from '../serving/worker-service.ts'
import { startDemoLoad } from './demo-load.ts'
import { demoTasks } from './demo-tasks.ts'

const schedules: Schedules = {
  'demo heartbeat': { task: { queue: 'heartbeat', handler: 'heartbeat' }, every: '5 seconds' },
  'demo newsletter': {
    task: { queue: 'mail', handler: 'send_mail', payload: { to: 'everybody@example.org' } },
    cron: '*/15 * * * * *',
  },
  'demo report': {
    task: { queue: 'reports', handler: 'monthly_report', payload: { month: '2026-11' } },
    cron: '* * * * *',
    overlap: 'skip',
  },
  'demo cleanup': {
    task: { queue: 'sql', kind: 'sql', payload: { sql: 'analyze' } },
    cron: '30 2 * * *',
    zone: 'Europe/Berlin',
  },
}

export interface DemoOptions {
  readonly tusk: Tusk
  readonly url: string
  readonly config: Config
  readonly io: Io
  readonly services: Services
}

/** Limits, schedules, a worker with handlers, and a producer that enqueues tasks for them. */
export async function startDemo({ tusk, url, config, io, services }: DemoOptions): Promise<void> {
  const logger = openConsoleLogger(io, 'demo', config.get('logLevel'))
  await tusk.queues.set('images', { maxRunning: 2 })
  await tusk.queues.set('mail', {
    rate: 20,
    rateWindow: '1 second',
    backoff: { kind: 'exponential', base: '2 seconds', cap: '30 seconds' },
  })
  await tusk.queues.set('webhooks', { backoff: { kind: 'fixed', base: '5 seconds' } })
  for (const customer of ['acme', 'globex', 'initech'])
    await tusk.groups.set(`customer ${customer}`, { maxRunning: 1 })
  await tusk.schedules.apply(schedules)
  // Without our worker nothing would run their tasks.
  services.add({ stop: () => deleteSchedules(tusk) })
  const worker = await startWorker({
    database: url,
    schema: tusk.schema,
    tasks: demoTasks,
    concurrency: 8,
    chores: false,
    signals: false,
    logger,
  })
  services.add(workerService(worker, 2_000))
  services.add(startDemoLoad(tusk, (err) => logger.warn({ err }, 'the demo cannot enqueue tasks')))
}

async function deleteSchedules(tusk: Tusk): Promise<void> {
  for (const name of Object.keys(schedules)) await tusk.schedules.delete(name)
}
