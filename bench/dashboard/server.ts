import { Tusk } from '../../src/client/tusk.ts'
import { serveHttp } from '../../src/http/serve.ts'
import { startWorker } from '../../src/worker/worker.ts'
import type { Usage } from './site.ts'

/**
 * Runs what `tusk start` runs, in a separate process, so that its memory can be measured: a server with
 * the dashboard, and a worker for chores. The worker serves an unused queue, so waiting tasks stay.
 *
 *   node server.js <url> <schema> <folder of the dashboard> <token>
 */
const [database = '', schema = '', dashboard = '', token = ''] = process.argv.slice(2)
const tusk = await Tusk.open({ database, schema })
const worker = await startWorker({
  database,
  schema,
  tasks: { nothing: () => null },
  signals: false,
  logger: false,
})
const server = await serveHttp({ tusk, token, dashboard, port: 0, sql: true, logger: false })

/** Memory of the process after a garbage collection, and the processor time that it used. */
function usage(): Usage {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { heapBytes: heapUsed, residentBytes: rss, cpuMs: (user + system) / 1_000 }
}

async function stop(): Promise<void> {
  await server.close()
  await worker.stop({ deadlineMs: 0 })
  await tusk.close()
  process.exit(0)
}

process.on('message', (asked) => {
  if (asked === 'usage') process.send?.(usage())
  else void stop()
})
process.on('disconnect', () => void stop())
process.send?.(server.url)
