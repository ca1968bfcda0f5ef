import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { test as base, describe, expect } from 'vitest'
import { launch } from '../../src/embedded/launch.ts'
import { range } from '../support/crowd.ts'
import { type Cost, costOf, sum } from './cost-meter.ts'
import { openSchema, situations } from './cost-situations.ts'

/**
 * What 1,000 tasks cost may grow by a fifth over what is recorded in costs.json. These are counts, no times. When a
 * change is meant to cost more, or costs much less, record anew on each major version of Postgres:
 *
 *   TUSK_RECORD_COSTS=1 npm run test:slow -- test/bench/costs.test.ts
 *   TUSK_RECORD_COSTS=1 TUSK_TEST_POSTGRES_BIN=/usr/lib/postgresql/15/bin npm run test:slow -- test/bench/costs.test.ts
 */
const room = 1.2
const recordFile = new URL('costs.json', import.meta.url)
const tasks = 1_000
const perCall = 500

type Costs = Record<string, Cost>
/** By major version of Postgres, situation, and verb. */
type Recorded = Record<string, Record<string, Costs>>

const settings = {
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  shared_buffers: '256MB',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
}

/** A cluster that does nothing by itself, so that what is counted is what was asked. */
const test = base.extend<{ cluster: { readonly url: string; readonly major: string } }>({
  cluster: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
    async ({}, use) => {
      const stateDirectory = await mkdtemp(join(tmpdir(), 'tusk-costs-'))
      const bin = process.env['TUSK_TEST_POSTGRES_BIN'] || undefined
      const { url, version, stop } = await launch({ stateDirectory, mode: 'test', bin, settings })
      await use({ url, major: version.split('.')[0] ?? '' })
      await stop()
      await rm(stateDirectory, { recursive: true, force: true })
    },
    { scope: 'file' },
  ],
})

describe('what 1,000 tasks cost stays as recorded', () => {
  test.for(Object.keys(situations))('%s', { timeout: 300_000 }, async (name, { cluster }) => {
    const { url, major } = cluster
    const db = await openSchema(url, `costs_${Object.keys(situations).indexOf(name)}`)
    await db.query('create extension if not exists pg_stat_statements schema public')
    const end = await situations[name]?.(db, url)
    const measured = await measure(db)
    await end?.()
    await db.end()

    if (process.env['TUSK_RECORD_COSTS']) await record(major, name, measured)
    const recorded = await read()
    expect(excesses(measured, (recorded[major] ?? recorded['18'])?.[name] ?? {})).toEqual([])
  })
})

/** Packs and rows: enqueue, claim and complete 1,000 of each, after as many that do not count. */
async function measure(db: pg.Client): Promise<Costs> {
  const costs: Costs = {}
  for (const shape of ['packs', 'rows']) {
    await db.query('select set_queue($1, $2)', ['mail', { packs: shape === 'packs' }])
    await drainOnce(db)
    const [enqueue, claim, complete] = await drainOnce(db)
    Object.assign(costs, {
      [`enqueue, ${shape}`]: enqueue,
      [`claim, ${shape}`]: claim,
      [`complete, ${shape}`]: complete,
    })
  }
  return costs
}

async function drainOnce(db: pg.Client): Promise<[Cost, Cost, Cost]> {
  const queues = range(tasks).map(() => 'mail')
  const payloads = range(tasks).map((n) => JSON.stringify({ n }))
  const { rows: now } = await db.query<{ at: string }>('select clock_timestamp()::text as at')
  const enqueue = await costOf(db, () =>
    db.query('select count(*) from enqueue_many($1::text[], $2::jsonb[])', [queues, payloads]),
  )
  const claims: Cost[] = []
  const completions: Cost[] = []
  for (let done = 0; done < tasks; done += perCall) {
    let claimed: { ids: string[]; claims: string[] } = { ids: [], claims: [] }
    const claim = `
      select array_agg(id + n)::text[] as ids, array_agg(claim)::text[] as claims
      from claim_queues('{mail}', $1, 'costs', '1 hour', p_from_counts => '{1}', p_from_priorities => '{0}',
                        p_from_times => array[$2::timestamptz])
      cross join generate_series(0, size - 1) as n`
    claims.push(
      await costOf(db, async () => {
        // With a hint, as workers claim.
        const { rows } = await db.query<typeof claimed>(claim, [perCall, now[0]?.at])
        claimed = rows[0] ?? claimed
      }),
    )
    expect(claimed.ids).toHaveLength(perCall)
    const complete = 'select count(*)::int as n from complete_many($1::bigint[], $2::bigint[])'
    completions.push(await costOf(db, () => db.query(complete, [claimed.ids, claimed.claims])))
  }
  return [enqueue, sum(claims), sum(completions)]
}

function excesses(measured: Costs, recorded: Costs): string[] {
  return Object.entries(measured).flatMap(([verb, cost]) =>
    (Object.keys(cost) as (keyof Cost)[]).flatMap((name) => {
      const most = Math.ceil((recorded[verb]?.[name] ?? 0) * room)
      return cost[name] <= most ? [] : `${verb}: ${cost[name]} ${name}, at most ${most}`
    }),
  )
}

async function read(): Promise<Recorded> {
  return JSON.parse(await readFile(recordFile, 'utf8')) as Recorded
}

async function record(major: string, name: string, costs: Costs): Promise<void> {
  const all = await read().catch((): Recorded => ({}))
  all[major] = { ...all[major], [name]: costs }
  await writeFile(recordFile, `${JSON.stringify(all, null, 2)}\n`)
}
