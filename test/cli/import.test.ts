import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, inject } from 'vitest'
import { tusk } from '../support/cli.ts'
import { test } from '../support/engine.ts'

// Each test works on a peer's schema under another name, so that none depends on another.
const fixture = async (name: string, from: string, to: string) =>
  (await readFile(`test/fixtures/import/${name}.sql`, 'utf8')).replaceAll(from, to)
let dropped: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const drop of dropped) await drop()
  dropped = []
})

const peers = test.extend<{
  run: (...args: string[]) => Promise<{ code: number; data: string; talk: string }>
  graphile: string
  boss: string
}>({
  run: async ({ schema }, use) => {
    await use((...args) =>
      tusk(['import', ...args], { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }),
    )
  },
  graphile: async ({ db, schema }, use) => {
    const name = `gw_${schema}`
    await db.query(await fixture('graphile-worker', 'graphile_worker', name))
    await db.query(`
      insert into ${name}._private_tasks (identifier) values ('mail'), ('report');
      insert into ${name}._private_job_queues (queue_name, locked_at) values ('serial', null), ('busy', now());
      insert into ${name}._private_jobs (task_id, job_queue_id, payload, priority, run_at, attempts, max_attempts, key,
                                         flags, locked_at) values
        (1, null, '{"to":   "ada"}', 3, '2031-02-03 04:05:06+00', 2, 25, 'ada', '{"slow": true}', null),
        (2, 1, '{}', 0, now(), 0, 25, null, null, null),
        (2, 2, '{}', 0, now(), 0, 25, null, null, null),
        (1, null, '{}', 0, now(), 1, 25, null, null, now()),
        (1, null, '{}', 0, now(), 5, 5, null, null, null),
        (1, null, '{"bad": "\\u0000"}', 0, now(), 0, 25, null, null, null)`)
    await use(name)
    await db.query(`drop schema ${name} cascade; drop schema if exists ${schema}_import cascade`)
  },
  boss: async ({ db, schema }, use) => {
    const name = `pb_${schema}`
    await db.query(await fixture('pg-boss', 'pgboss', name))
    await db.query(`
      insert into ${name}.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds,
        retention_seconds, deletion_seconds, partition, table_name)
      select n, 'standard', 2, 0, false, 900, 1, 1, false, 'job_common' from unnest('{mail,once}'::text[]) as n;
      insert into ${name}.job (name, data, priority, start_after, retry_limit, retry_count, retry_delay, retry_backoff,
                               expire_seconds, state, policy, singleton_key, blocked) values
        ('mail', '{"n": 1}', 4, '2031-02-03 04:05:06+00', 5, 2, 10, true, 60, 'retry', 'standard', 'x', false),
        ('mail', '{"n": 2}', 0, now(), 5, 0, 10, false, 60, 'created', 'standard', 'x', false),
        ('once', null, 0, now(), 0, 0, 0, false, 60, 'created', 'short', null, false),
        ('mail', '{}', 0, now(), 0, 0, 0, false, 60, 'active', 'standard', null, false),
        ('mail', '{}', 0, now(), 0, 0, 0, false, 60, 'created', 'standard', null, true);
      insert into ${name}.schedule (name, key, kind, cron, timezone, data, options) values
        ('mail', '', 'cron', '*/5 * * * *', 'Europe/Berlin', '{"x": 1}', '{"priority": 4}'),
        ('mail', 'rule', 'rrule', 'FREQ=DAILY', 'UTC', null, null)`)
    await use(name)
    await db.query(`drop schema ${name} cascade; drop schema if exists ${schema}_import cascade`)
  },
})

const everything = (table: string) =>
  `select row_to_json(t)::text as row from ${table} as t order by 1`

describe('tusk import graphile-worker', () => {
  peers(
    'shows a plan, moves what waits, undoes it, and is final when confirmed',
    async ({ run, graphile, db, engine }) => {
      const args = ['graphile-worker', '--from-schema', graphile]
      const jobs = async () => (await db.query(everything(`${graphile}._private_jobs`))).rows
      const before = await jobs()

      const plan = await run(...args, '--dry-run')
      expect(JSON.parse(plan.data)).toEqual([
        { what: 'jobs', name: 'mail', count: 2, stays: null },
        { what: 'jobs', name: 'report', count: 1, stays: null },
        { what: 'jobs', name: null, count: 1, stays: 'a job of its serial queue is running' },
        { what: 'jobs', name: null, count: 1, stays: 'it has no attempts left' },
        { what: 'jobs', name: null, count: 1, stays: 'it is running' },
      ])
      expect(await jobs()).toEqual(before)

      const moved = await run(...args)
      expect(moved.talk).toContain(
        'Moved 2 jobs and 0 schedules into Tusk; 1 stay in graphile-worker.',
      )
      expect(JSON.parse(moved.data)).toMatchObject([
        { name: '6', reason: expect.stringContaining('Unicode') },
      ])
      const { rows } = await db.query(
        'select id, queue, payload, priority, run_at, max_attempts, key, groups, tags, meta from task order by id',
      )
      expect(rows).toMatchObject([
        {
          queue: 'mail',
          payload: { to: 'ada' },
          priority: -3,
          max_attempts: 23,
          key: 'ada',
          tags: ['slow'],
          run_at: new Date('2031-02-03T04:05:06Z'),
          meta: { imported_from: 'graphile-worker', job: '1' },
        },
        { queue: 'report', groups: ['serial'], max_attempts: 25 },
      ])

      // A second run moves nothing twice; it is what a run that was cut off goes on with.
      expect((await run(...args)).talk).toContain('Moved 0 jobs')

      // One has started: it stays in Tusk. The other goes back as it was, its payload to the letter.
      await engine.claim('report', { limit: 1 })
      const undone = await run(...args, '--undo')
      expect(undone.talk).toContain(
        'Put 1 jobs and 0 schedules back into graphile-worker; 1 stay in Tusk.',
      )
      expect(await jobs()).toEqual(before.filter(({ row }) => !row.startsWith('{"id":2,')))
      expect((await db.query('select queue from task')).rows).toEqual([{ queue: 'report' }])

      expect((await run(...args, '--confirm')).talk).toContain('is final: 1 moved rows')
      expect(await run(...args, '--undo')).toMatchObject({
        code: 4,
        talk: expect.stringContaining('no import from graphile-worker'),
      })
    },
  )

  peers(
    'makes schedules of a crontab, and names the line that it cannot read',
    async ({ run, graphile, engine }) => {
      const folder = await mkdtemp(join(tmpdir(), 'tusk-import-'))
      dropped.push(() => rm(folder, { recursive: true }))
      const crontab = join(folder, 'crontab')
      const args = ['graphile-worker', '--from-schema', graphile, '--crontab', crontab]
      await writeFile(
        crontab,
        '# nightly\n0 4 * * 1-5 report ?id=weekdays&fill=1d&max=3&queue=serial {"of": "all"}\n',
      )

      expect((await run(...args)).talk).toContain('1 schedules into Tusk')
      expect(await engine.schedule('weekdays')).toMatchObject({
        cron: '0 4 * * 1-5',
        zone: 'UTC',
        misfire: 'all',
        task: {
          queue: 'report',
          payload: { of: 'all' },
          max_attempts: 3,
          groups: ['serial'],
          max_running: 1,
        },
      })
      expect((await run(...args)).data).toContain('Tusk has a schedule of this name')
      await run(...args.slice(0, 3), '--undo')
      expect(await engine.schedule('weekdays')).toBeNull()

      for (const [line, fault] of [
        ['every day report', 'line 1 is not'],
        ['* * * * * report ?often=1', 'the option "often"'],
        ['* * * * * report {a: 1}', 'payload in line 1 is not JSON'],
        ['* * * * * report\n* * * * * report', 'two lines have the id "report"'],
      ] as const) {
        await writeFile(crontab, line)
        expect(await run(...args)).toMatchObject({ code: 2, talk: expect.stringContaining(fault) })
      }
    },
  )
})

describe('tusk import pg-boss', () => {
  peers('moves jobs and schedules, and puts them back', async ({ run, boss, db, engine }) => {
    const args = ['pg-boss', '--from-schema', boss]
    const tables = async () => [
      (await db.query(everything(`${boss}.job`))).rows,
      (await db.query(everything(`${boss}.schedule`))).rows,
    ]
    const before = await tables()

    const moved = await run(...args)

    expect(moved.talk).toContain('Moved 3 jobs and 1 schedules into Tusk; 1 stay in pg-boss.')
    expect(JSON.parse(moved.data)).toEqual([
      { what: 'schedule', name: 'mail/rule', reason: 'it is planned by rrule' },
    ])
    const { rows } = await db.query(
      `select queue, payload, priority, max_attempts, timeout::text, key from task order by queue, payload ->> 'n'`,
    )
    expect(rows).toEqual([
      {
        queue: 'mail',
        payload: { n: 1 },
        priority: 4,
        max_attempts: 4,
        timeout: '00:01:00',
        key: null,
      },
      {
        queue: 'mail',
        payload: { n: 2 },
        priority: 0,
        max_attempts: 6,
        timeout: '00:01:00',
        key: null,
      },
      { queue: 'once', payload: {}, priority: 0, max_attempts: 1, timeout: '00:01:00', key: '-' },
    ])
    expect(await engine.schedule('mail')).toMatchObject({
      cron: '*/5 * * * *',
      zone: 'Europe/Berlin',
      misfire: 'skip',
      task: { queue: 'mail', priority: 4 },
    })

    // A job that arrives later with a key that is taken stays; so no job is lost.
    await db.query(`insert into ${boss}.job (name, policy) values ('once', 'short')`)
    expect(JSON.parse((await run(...args)).data)).toContainEqual(
      expect.objectContaining({
        what: 'job',
        reason: expect.stringContaining('its key is taken by task'),
      }),
    )
    await db.query(`delete from ${boss}.job where name = 'once'`)

    expect((await run(...args, '--undo')).talk).toContain('Put 3 jobs and 1 schedules back')
    expect(await tables()).toEqual(before)
    expect((await db.query('select from task')).rows).toEqual([])
    expect(await engine.schedule('mail')).toBeNull()
  })

  peers(
    'rejects a schema that is missing, of another version, or damaged',
    async ({ run, boss, db }) => {
      const says = async (...args: string[]) => await run('pg-boss', '--from-schema', ...args)

      expect(await says('nowhere')).toMatchObject({
        code: 2,
        talk: expect.stringMatching(/no schema "nowhere"[\s\S]*--from-schema/),
      })
      await db.query(`update ${boss}.version set version = 21`)
      expect(await says(boss)).toMatchObject({
        code: 2,
        talk: expect.stringMatching(
          /has version 21 of pg-boss; the import reads version 46[\s\S]*12\.38/,
        ),
      })
      await db.query(
        `update ${boss}.version set version = 46; alter table ${boss}.job rename column singleton_key to x`,
      )
      expect(await says(boss)).toMatchObject({
        code: 2,
        talk: expect.stringContaining('no column job.singleton_key'),
      })
      await db.query(
        `alter table ${boss}.job rename column x to singleton_key; delete from ${boss}.version`,
      )
      expect(await says(boss)).toMatchObject({
        code: 2,
        talk: expect.stringContaining('no row in version'),
      })
      expect(await run('celery')).toMatchObject({
        code: 2,
        talk: expect.stringMatching(/cannot import from "celery"[\s\S]*pg-boss/),
      })
      expect(await says(boss, '--undo', '--confirm')).toMatchObject({
        code: 2,
        talk: expect.stringContaining('give one of'),
      })
    },
  )
})
