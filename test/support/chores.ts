import type { ChoreCard } from '../../src/engine/leading.ts'
import type { TestEngine } from './test-engine.ts'

/** A chore as workers register it. */
export const card: ChoreCard = {
  name: 'tidy',
  strategy: 'lease',
  everyMs: 1_000,
  timeoutMs: 5_000,
  ttlMs: 10_000,
}

/** Registers workers that would lead the chore. */
export async function candidates(engine: TestEngine, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    const whereabouts = { host: 'host', pid: 1, version: '1', slots: 1, queues: [] }
    await engine.registerWorker({ id, ...whereabouts })
    await engine.registerChores(id, [card], true)
  }
}

/** Looks once, as a worker that leads nothing; answers the term it leads in now. */
export async function take(
  engine: TestEngine,
  worker: string,
  chore = 'tidy',
): Promise<bigint | null> {
  const [lead] = await engine.leadChores(worker, [{ chore, term: null }])
  return lead?.term ?? null
}

/** Renews; answers the term it goes on leading in. */
export async function renew(
  engine: TestEngine,
  worker: string,
  term: bigint,
): Promise<bigint | null> {
  const [lead] = await engine.leadChores(worker, [{ chore: 'tidy', term }])
  return lead?.term ?? null
}

/** Makes the lease run out. */
export const lapse = (engine: TestEngine) =>
  engine.rows(`update chores set expires_at = clock_timestamp() - interval '1 millisecond'`)
