import type { PushEndpoint, SecretPlace } from '../engine/pushing.ts'
import { cacheFor } from '../lib/cache-for.ts'
import { ownVersion } from '../lib/version.ts'
import type { Endpoint, PushRunner } from '../runners/push/perform-push.ts'
import { PushError } from '../runners/push/push-error.ts'
import { Sender } from '../runners/push/send.ts'
import { readSecret, type SecretSources } from '../runners/sql/connections/secrets.ts'
import type { Core } from './core.ts'
import type { WorkerOptions } from './options.ts'
import type { PushOptions } from './push-options.ts'

export interface PushPart {
  readonly runner: PushRunner
  close(): void
}

/** Endpoints and secrets that changed are used within so long. */
const trustMs = 5_000
const mostBytes = 900_000

/** The part of a worker that delivers tasks to endpoints. */
export function openPush(core: Core, { push = false }: WorkerOptions): PushPart | undefined {
  if (push === false) return undefined
  const given: PushOptions = push === true ? {} : push
  const { verbs, connections, card } = core
  const permits = { ports: given.ports ?? [443], allow: given.allow ?? [] }
  const sender = new Sender(permits, given.maxBytes ?? mostBytes)
  const read = cacheFor(trustMs, async () => {
    const rows = await connections.borrow((db) => verbs.readPush(db, card.queues))
    const found = await Promise.all(rows.map((row) => endpointOf(row, given)))
    return new Map(rows.map(({ queue }, at) => [queue, found[at]]))
  })
  return {
    runner: {
      sender,
      version: ownVersion(),
      endpointOf: async (queue) => {
        const found = (await read()).get(queue)
        if (found instanceof PushError) throw found
        return found
      },
    },
    close: () => sender.close(),
  }
}

/** One endpoint whose secret is missing must not keep the others from their tasks. */
async function endpointOf(row: PushEndpoint, given: PushOptions): Promise<Endpoint | PushError> {
  try {
    const secrets = await Promise.all(row.secrets.map((place) => secretAt(place, row.queue, given)))
    return { url: row.url, secrets, timeoutMs: row.timeout_ms }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return new PushError('push_secret_missing', `a secret of queue ${row.queue} is missing: ${why}`)
  }
}

async function secretAt(place: SecretPlace, queue: string, given: PushOptions): Promise<string> {
  const sources: SecretSources = {
    callbacks: given.secrets ?? {},
    variables: given.secretVariables,
    folders: given.secretFolders ?? ['/run/secrets'],
    hosts: {},
  }
  const secret = await readSecret(queue, place, sources)
  if (secret === undefined || secret === '') throw new Error('it is empty')
  return secret
}
