import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

/** Small and repeatable. */
function randomFrom(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * n)
  }
}

const rounds = 40
const signalsPerTask = 3

/** Runs a task once: it spawns two children, receives three signals one after the other, and joins. */
async function runOnce(db: pg.Pool, { id, claim }: { id: string; claim: string }): Promise<void> {
  const pass = async (wait: object) => {
    const text = 'select output from suspend($1, $2, $3)'
    return (await db.query(text, [id, claim, JSON.stringify([wait])])).rows
  }
  const children = '[{"queue": "child"}, {"queue": "child"}]'
  await db.query(`select spawn($1, $2, '{a,b}', $3)`, [id, claim, children])
  const received: unknown[] = []
  for (let n = 0; n < signalsPerTask; n++) {
    const [step] = await pass({ kind: 'signal', name: `s${n}`, signal: 'paid' })
    if (step === undefined) return
    received.push(step.output)
  }
  if ((await pass({ kind: 'children', children: ['a', 'b'] })).length === 0) return
  await db.query('select complete($1, $2, $3)', [id, claim, JSON.stringify(received)])
}

describe('signals, sleeps and children in random orders', () => {
  test.for([1, 2, 3, 4, 5, 6])(
    'loses none and doubles none (seed %i)',
    { timeout: 120_000 },
    async (seed, { db, engine }) => {
      const random = randomFrom(seed)
      const ids: string[] = []
      for (let n = 0; n < rounds; n++) {
        ids.push((await engine.enqueue({ queue: 'race', key: `key ${n}` })).id)
      }
      const sends = ids.flatMap((id, n) =>
        Array.from({ length: signalsPerTask }, (_, i) => ({
          id,
          key: `key ${n}`,
          value: `${n}/${i}`,
        })),
      )
      sends.sort(() => random(3) - 1)
      const isOver = async () =>
        (await engine.value<number>(`select count(*)::int from finished where queue = 'race'`)) ===
        rounds
      let isSending = true

      const sender = async () => {
        for (let send = sends.pop(); send !== undefined; send = sends.pop()) {
          const { id, key, value } = send
          if (random(2) === 0) {
            await db.query(`select signal($1::bigint, 'paid', $2::jsonb)`, [
              id,
              JSON.stringify(value),
            ])
          } else {
            await db.query(`select signal('race', $1, 'paid', $2::jsonb)`, [
              key,
              JSON.stringify(value),
            ])
          }
        }
        isSending = false
      }
      const worker = async () => {
        while (!(await isOver())) {
          const { rows } = await db.query(`select id, claim from claim('race', 5)`)
          for (const held of rows) await runOnce(db, held)
        }
      }
      const child = async () => {
        while (!(await isOver())) {
          const { rows } = await db.query(`select id, claim from claim('child', 3)`)
          await db.query('select complete_many($1, $2)', [
            rows.map(({ id }) => id),
            rows.map(({ claim }) => claim),
          ])
        }
      }
      const keeper = async () => {
        while (!(await isOver())) await db.query('select fold_wake_notes()')
      }
      await Promise.all([
        sender(),
        sender(),
        worker(),
        worker(),
        worker(),
        child(),
        child(),
        keeper(),
      ])

      expect(isSending).toBe(false)
      const outputs = await engine.rows<{ key: string; output: string[] }>(
        `select key, output from finished where queue = 'race'`,
      )
      for (const { key, output } of outputs) {
        const n = key.slice(4)
        expect([...output].sort()).toEqual([0, 1, 2].map((i) => `${n}/${i}`))
      }
      expect(await engine.rows('select from signals')).toEqual([])
      expect(await engine.rows('select from awaits')).toEqual([])
      expect(await engine.rows('select from tasks')).toEqual([])
      expect(await engine.value(`select count(*)::int from finished where queue = 'child'`)).toBe(
        rounds * 2,
      )
    },
  )
})

describe('a held row', () => {
  test('keeps no worker from ending a child, and the parent wakes later', async ({
    engine,
    connect,
  }) => {
    const parent = await engine.running()
    const [child] = await engine.rows<{ child: string }>(
      `select child::text from spawn($1, $2, '{a}', '[{"queue": "child"}]')`,
      parent.id,
      parent.claim,
    )
    await engine.rows(
      `select suspend($1, $2, '[{"kind": "children", "children": ["a"]}]')`,
      parent.id,
      parent.claim,
    )
    const other = await connect()
    await other.query('begin')
    await other.query('select from tasks where id = $1 for update', [parent.id])

    await engine.complete(await engine.claimOne('child'))

    expect(await engine.task(child?.child ?? '')).toMatchObject({ state: 'done' })
    expect(await engine.task(parent.id)).toMatchObject({ state: 'waiting' })
    await engine.rescue()
    await other.query('rollback')
    await engine.rescue()
    expect(await engine.claimOne('mail')).toMatchObject({ id: parent.id })
  })

  test('keeps no caller from sending a signal', async ({ engine, connect }) => {
    const task = await engine.running()
    await engine.rows(
      `select suspend($1, $2, '[{"kind": "signal", "name": "paid"}]')`,
      task.id,
      task.claim,
    )
    const other = await connect()
    await other.query('begin')
    await other.query('select from tasks where id = $1 for update', [task.id])

    await engine.signal(task.id, 'paid', '1')

    await other.query('rollback')
    await engine.rescue()
    expect(await engine.claimOne('mail')).toMatchObject({ id: task.id })
  })

  test('suspend refuses a snapshot that would miss a signal', async ({ engine, connect }) => {
    const task = await engine.running()
    const other = await connect()
    await other.query('begin isolation level repeatable read')

    await expect(
      other.query(`select suspend($1, $2, '[{"kind": "signal", "name": "paid"}]')`, [
        task.id,
        task.claim,
      ]),
    ).rejects.toMatchObject({ code: 'TK004', message: expect.stringContaining('read committed') })
  })
})

describe('100,000 waiting tasks', () => {
  test('are not read by a claim, by next_due() or by an end', async ({ engine, db }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await engine.claimOne('mail')
    await engine.rows(
      `insert into tasks (id, created_at, run_at, queue, handler, submitted_by, waits, payload)
       select nextval('task_ids'), now(), never(), 'mail', 'mail', 'x', '{"signals": ["paid"]}', '{}'
       from generate_series(1, 100000)`,
    )
    await db.query('vacuum analyze tasks')
    const buffers = async (query: string) => {
      await db.query(query)
      const [plan] = await engine.rows(`explain (analyze, buffers, format json) ${query}`)
      const [{ Plan }] = Object.values(plan ?? {})[0] as [
        { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } },
      ]
      return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
    }

    // A few pages of indexes and settings; the waiting tasks have thousands.
    expect(await buffers(`select * from claim('mail', 10)`)).toBeLessThan(200)
    expect(await buffers(`select next_due('{mail}')`)).toBeLessThan(200)
    expect(await engine.task(id)).toMatchObject({ state: 'running' })
  }, 60_000)
})
