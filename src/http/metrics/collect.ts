import { server } from '../../doctor/server.ts'
import { sessions } from '../../doctor/sessions.ts'
import { durationBuckets } from '../../engine/measuring.ts'
import { ownVersion } from '../../lib/version.ts'
import { schemaVersion } from '../answers/schema-version.ts'
import type { HttpContext } from '../http-context.ts'
import { type NamedQueues, numbersOf, type QueueNumbers, sumOf } from './by-queue.ts'
import { queueFamilies } from './queue-families.ts'
import {
  buildFamily,
  choreFamilies,
  connectionFamily,
  scheduleFamily,
  workerFamilies,
} from './server-families.ts'
import type { Family } from './write.ts'

/** Everything that is measured, from totals and statistics: nothing finished is counted. */
export async function collect(context: HttpContext, named: NamedQueues): Promise<Family[]> {
  const { verbs, reads, tusk } = context
  const at = { db: reads }
  const about = await server(at)
  const nowMs = about.now.getTime()
  const schema_version = await schemaVersion(reads, tusk.schema)
  return [
    ...queueFamilies(await readQueues(context, named, nowMs), durationBuckets),
    ...choreFamilies(await verbs.choreStats(reads), nowMs),
    ...workerFamilies(await verbs.workers(reads)),
    connectionFamily(await sessions(at)),
    scheduleFamily(await verbs.scheduleCounts(reads)),
    buildFamily({ version: ownVersion(), schema_version, postgres: about.version }),
  ]
}

/** By the names of their metrics. */
async function readQueues(
  { verbs, reads }: HttpContext,
  named: NamedQueues,
  nowMs: number,
): Promise<Map<string, QueueNumbers>> {
  const totals = await verbs.queueTotals(reads)
  const stats = new Map((await verbs.queueStats(reads)).map((row) => [row.queue, row]))
  named.welcome(totals)
  const queues = new Map<string, QueueNumbers>()
  for (const total of totals) {
    const name = named.nameOf(total.queue)
    const before = queues.get(name)
    const numbers = numbersOf(total, stats.get(total.queue), durationBuckets.length + 1, nowMs)
    queues.set(name, before === undefined ? numbers : sumOf(before, numbers))
  }
  return queues
}
