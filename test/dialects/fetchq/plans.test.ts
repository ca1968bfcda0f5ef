import type pg from 'pg'
import { describe, expect } from 'vitest'
import { range } from '../../support/crowd.ts'
import { type Fetchq, test } from '../../support/fetchq.ts'
import { faultsIn, plansOf, tellPlans } from '../../support/plans.ts'

const many = 4_000
const batch = 50
const most = batch * 3

/** Pages without a row in them, and statistics that say so. */
async function empty(fetchq: Fetchq): Promise<void> {
  for (const table of ['tasks', 'finished', 'claims', 'keys', 'attempts']) {
    await fetchq.engine.rows(`delete from ${table}`)
    await fetchq.engine.rows(`vacuum (analyze, truncate false) ${table}`)
  }
  for (const table of ['planned', 'rounds']) {
    await fetchq.rows(`delete from fetchq.${table}`)
    await fetchq.rows(`vacuum (analyze, truncate false) fetchq.${table}`)
  }
}

/** Documents that wait, as many that are planned, and all of them with a story. */
async function fill(fetchq: Fetchq): Promise<void> {
  for (const [subject, run] of [
    ['w', 'now()'],
    ['p', `now() + interval '1 day'`],
  ]) {
    await fetchq.rows(
      `select fetchq.doc_push_many('q1', jsonb_agg(jsonb_build_object(
         'subject', '${subject}' || n, 'payload', '{}'::jsonb, 'next_iteration', ${run})))
       from generate_series(1, $1::int) as n`,
      many,
    )
  }
  await fetchq.engine.rows(
    `insert into ${fetchq.schema}.rounds (task, rejects, last_iteration)
     select id, 1, now() from tasks on conflict do nothing`,
  )
}

/** One round of work: the faults of each call. */
async function round(reported: Fetchq & { client: pg.Client }): Promise<string[]> {
  const faults: string[] = []
  const note = async (text: string, ...values: unknown[]) => {
    const plans = await plansOf(reported.client, () => reported.rows(text, ...values))
    faults.push(...faultsIn(plans, most).map((fault) => `${text}: ${fault}`))
  }
  const subject = `s${Math.random()}`
  await note(`select fetchq.doc_push('q1', $1)`, subject)
  await note(`select fetchq.doc_upsert('q1', $1, 0, 0, now() + interval '1h', '{}')`, subject)
  for (const n of range(batch)) await reported.rows(`select fetchq.doc_push('q1', $1)`, subject + n)
  await note(`select * from fetchq.doc_pick('q1', 0, ${batch - 10}, '5m')`)
  const picked = await reported.rows<{ subject: string }>(
    `select * from fetchq.doc_pick('q1', 0, 6, '5m')`,
  )
  const [a, b, c, d, e, f] = picked.map((document) => document.subject)
  await note(`select fetchq.doc_complete('q1', $1)`, a)
  await note(`select fetchq.doc_reschedule('q1', $1, now() + interval '1 day')`, b)
  await note(`select fetchq.doc_reject('q1', $1, 'no', '{}')`, c)
  await note(`select fetchq.doc_kill('q1', $1)`, d)
  await note(`select fetchq.doc_drop('q1', $1)`, e)
  await note(`select fetchq.doc_extend('q1', $1, '10m')`, f)
  await note(`select * from fetchq.trace($1)`, f)
  await note(`select fetchq.doc_play('q1', $1)`, d)
  await note(`select fetchq.mnt_make_pending('q1', 20)`)
  await note(`select fetchq.mnt_reschedule_orphans('q1', 20)`)
  await note(`select fetchq.mnt_mark_dead('q1', 20)`)
  return faults
}

describe('the calls among many documents', () => {
  test('read by index, whatever was known when they were planned', {
    timeout: 600_000,
  }, async ({ fetchq, connect, skip }) => {
    const isSuper = await fetchq.value(`select rolsuper from pg_roles where rolname = current_user`)
    if (!isSuper) skip('auto_explain can be loaded by a superuser only')
    await fetchq.queue('q1', ...range(200).map((n) => `e${n}`))
    await empty(fetchq)
    const emptied = await connect()
    await tellPlans(emptied.client)
    await round(emptied)

    await fill(fetchq)

    expect(await round(emptied)).toEqual([])
  })
})
