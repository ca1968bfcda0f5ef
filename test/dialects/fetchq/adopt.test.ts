import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { adoptFetchq } from '../../../src/dialects/fetchq/adopt-original.ts'
import { releaseFetchq } from '../../../src/dialects/fetchq/release-original.ts'
import { installDialect } from '../../../src/dialects/install-dialect.ts'
import { tusk } from '../../support/cli.ts'
import { copyDatabase, openOriginal, type TestDatabase } from '../../support/fetchq-databases.ts'

/** What Fetchq itself made of its documents: one in each status, in each of the ways that lead there. */
const life = `
  select fetchq.queue_create('mail'), fetchq.queue_create('other'), fetchq.queue_get_id('bare');
  select fetchq.queue_set_max_attempts('mail', 2), fetchq.queue_enable_notify('mail');
  select fetchq.doc_push('mail', 'planned', 0, 3, now() + interval '1 day', '{"n": 1}');
  select fetchq.doc_push('mail', s, 0, 5, now() - interval '1 hour', jsonb_build_object('s', s))
    from unnest('{done,dead,rejected,again,held,late,spent,lost}'::text[]) as s;
  select fetchq.doc_push('mail', 'pending', 1, -2, now() - interval '1 minute', '{"it''''s": null}');
  select fetchq.doc_push('other', 'pending', '{"of": "other"}');
  select fetchq.doc_pick('mail', 0, 8, '1 hour');
  select fetchq.doc_complete('mail', 'done', '{"became": 1}'), fetchq.doc_kill('mail', 'dead');
  select fetchq.doc_reject('mail', 'rejected', 'no answer', '{"a": 1}', 'ref-1');
  select fetchq.doc_reschedule('mail', 'again', now() + interval '2 hours', '{"round": 2}');
  update fetchq_data.mail__docs set next_iteration = now() - interval '1 s' where subject in ('spent', 'lost', 'late');
  update fetchq_data.mail__docs set attempts = 2 where subject in ('spent', 'lost');
  select fetchq.doc_reject('mail', 'spent', 'gave up', '{}');
  select fetchq.mnt_mark_dead('mail', 10);
  select fetchq.metric_log_pack();
  select fetchq.metric_snap('mail');
  select fetchq.metric_log_increment('mail', 'mine', 7);
  select fetchq.queue_set_current_version('mail', 1);
  update fetchq.queues set config = '{"a": 1}', is_active = false where name = 'other';
  update fetchq.jobs set iterations = 12, settings = '{"delay": "9s"}' where task = 'sts' and queue = 'mail'`

const queries = {
  docs: `select *, 'mail' as queue from fetchq_data.mail__docs
    union all select *, 'other' from fetchq_data.other__docs order by subject, queue`,
  logs: 'select created_at, subject, message, details, ref_id from fetchq_data.mail__logs order by id',
  snapshots: 'select created_at, metric, value from fetchq_data.mail__metrics order by metric',
  queues: `select id, created_at, name, is_active, current_version, max_attempts, logs_retention,
    metrics_retention, config - 'notify' as config from fetchq.queues order by id`,
  jobs: `select task, queue, iterations, settings, payload, next_iteration from fetchq.jobs
    where queue <> 'bare' order by task, queue`,
  counters: 'select queue, metric, value from fetchq.metrics order by queue, metric',
  writes: 'select queue, metric, increment, reset from fetchq.metrics_writes order by 1, 2',
}

let template: TestDatabase
let database: TestDatabase
beforeAll(async () => {
  template = await openOriginal()
  await template.pool.query(life)
  await migrate(template.url, { roles: false })
})
afterAll(() => template.drop())
beforeEach(async () => {
  database = await copyDatabase(template)
})
afterEach(() => database.drop())

async function read(statement: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query<Record<string, unknown>>(statement)).rows
}

async function everything(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, statement] of Object.entries(queries)) found[name] = await read(statement)
  return found
}

/** SQL that gives everything of Fetchq and of the engine to a role. */
const ownedBy = (role: string) => `do $$ declare v_object text; begin
  for v_object in
    select 'schema ' || nspname from pg_namespace where nspname in ('fetchq', 'fetchq_data', 'tusk') union all
    select case relkind when 'v' then 'view ' when 'S' then 'sequence ' else 'table ' end || oid::regclass
    from pg_class
    where relkind in ('r', 'p', 'v', 'S') and relnamespace::regnamespace::text in ('fetchq', 'fetchq_data', 'tusk')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i') and relkind = 'S')
    union all
    select case prokind when 'p' then 'procedure ' else 'function ' end || oid::regprocedure from pg_proc
    where pronamespace::regnamespace::text in ('fetchq', 'fetchq_data', 'tusk')
    union all
    select 'type ' || oid::regtype from pg_type
    where typnamespace::regnamespace::text in ('fetchq', 'fetchq_data', 'tusk') and typelem = 0
      and (typrelid = 0 or exists (select from pg_class where oid = typrelid and relkind = 'c'))
  loop execute format('alter %s owner to ${role}', v_object); end loop; end $$`

const objects = `select oid::regclass::text as name from pg_class where relnamespace::regnamespace::text ~ '^fetchq'
  union all select oid::regprocedure::text from pg_proc where pronamespace::regnamespace::text ~ '^fetchq' order by 1`

describe('adopting an installation of Fetchq', () => {
  test('says first what would happen, and changes nothing', async () => {
    await database.pool.query('create table fetchq_data.stray (a int)')
    const before = [await everything(), await read(objects)]

    const steps = await adoptFetchq(database.url, { dryRun: true })

    expect(steps).toEqual([
      'keep the schemas fetchq and fetchq_data as fetchq_original and fetchq_data_original',
      'move 10 documents of mail (2 planned, 2 pending, 2 active, 1 completed, 3 killed), 2 logs and 15 snapshots',
      'move 1 documents of other (0 planned, 1 pending, 0 active, 0 completed, 0 killed), 0 logs and 0 snapshots',
      'move the queue bare, which has no tables',
      'leave stray in fetchq_data_original: it belongs to no queue',
    ])
    expect([await everything(), await read(objects)]).toEqual(before)
  })

  test('moves documents, logs, counters and settings as they are, and can be undone', async () => {
    const before = await everything()

    await adoptFetchq(database.url)

    expect(await everything()).toEqual(before)
    expect(await read('select name from fetchq.installed_dialect')).toEqual([{ name: 'fetchq' }])
    expect(await read('select count(*)::int as kept from fetchq_data_original.mail__docs')).toEqual(
      [{ kept: 10 }],
    )
    expect(
      await read("select config ->> 'notify' as reported from fetchq.queues order by id"),
    ).toEqual([{ reported: 'true' }, { reported: null }, { reported: null }])

    await releaseFetchq(database.url)

    const after = await everything()
    // Counters that waited were packed.
    const packed = ({ counters, writes, ...rest }: Record<string, unknown>) => rest
    expect(packed(after)).toEqual(packed(before))
    expect(await read(`select value::int from fetchq.metrics where metric = 'mine'`)).toEqual([
      { value: 7 },
    ])
    expect(
      await read(`select from pg_trigger where tgname like 'fetchq__mail__trg%'`),
    ).toHaveLength(2)
    expect(await read('select count(*)::int as left from tusk.tasks')).toEqual([{ left: 0 }])
    expect(await read(`select subject from fetchq.doc_pick('mail', 1, 9, '1m')`)).toEqual([
      { subject: 'pending' },
    ])
  })

  test('lets work go on where it was: the holder completes, the rest is picked', async () => {
    await adoptFetchq(database.url)

    expect(await read(`select fetchq.doc_complete('mail', 'held') as n`)).toEqual([{ n: 1 }])
    expect(await read(`select fetchq.doc_push('mail', 'done') as n`)).toEqual([{ n: 0 }])
    await read('select fetchq.mnt_run_all(10)')
    expect(await read(`select subject, attempts from fetchq.doc_pick('mail', 0, 9, '1m')`)).toEqual(
      [{ subject: 'late', attempts: 2 }],
    )
    expect(await read(`select fetchq.doc_play('mail', 'dead') as n`)).toEqual([{ n: 1 }])
    await read(`select fetchq.queue_create('newer'), fetchq.doc_push('newer', 'a', '{"b": 1}')`)
    await read(`select fetchq.queue_drop('other')`)
    const now = await read('select * from fetchq_data.mail__docs order by subject')

    await releaseFetchq(database.url)

    expect(await read('select * from fetchq_data.mail__docs order by subject')).toEqual(now)
    expect(await read(`select subject, payload from fetchq.doc_pick('newer')`)).toEqual([
      { subject: 'a', payload: { b: 1 } },
    ])
    expect(await read(`select to_regclass('fetchq_data.other__docs') as gone`)).toEqual([
      { gone: null },
    ])
  })

  test('does what its page says, command by command', async () => {
    const page = await readFile(
      new URL('../../../docs/dialects/moving-from-fetchq.md', import.meta.url),
      'utf8',
    )
    const commands = [...page.matchAll(/npx tusk (.+)/g)].map(([, command = '']) => command)
    const before = await read(queries.docs)

    for (const command of commands) {
      const { code, talk } = await tusk(command.split(' '), { DATABASE_URL: database.url })
      expect({ command, code, talk }).toMatchObject({ code: 0 })
      expect(await read(queries.docs)).toEqual(before)
    }

    expect(commands).toEqual([
      'migrate up',
      'dialect install fetchq --adopt --dry-run',
      'dialect install fetchq --adopt',
      'dialect install fetchq --undo',
    ])
  })

  test('adopts one whose functions belong to an extension, and gives it back', async () => {
    // Any extension will do to own them: Postgres treats its members alike.
    await database.pool.query(`do $$ declare v_object text; begin
      for v_object in
        select 'schema fetchq' union all
        select 'function ' || oid::regprocedure from pg_proc where pronamespace = 'fetchq'::regnamespace
      loop execute 'alter extension "uuid-ossp" add ' || v_object; end loop; end $$`)
    const members = `select count(*)::int as n from pg_depend
      where deptype = 'e' and refobjid = (select oid from pg_extension where extname = 'uuid-ossp')`
    const [before, owned] = [await read(queries.docs), await read(members)]

    await adoptFetchq(database.url)
    expect(await read(queries.docs)).toEqual(before)
    await expect(read('select fetchq.drop_adopted()')).rejects.toThrow('extension uuid-ossp')

    await releaseFetchq(database.url)
    expect(await read(queries.docs)).toEqual(before)
    expect(await read(members)).toEqual(owned)
  })

  test('is adopted and given back by an owner without superuser rights', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const role = `${name}_owner`
    await database.pool.query(`create role ${role} login password '${role}'; ${ownedBy(role)};
      alter database ${name} owner to ${role}`)
    const url = new URL(database.url)
    url.username = role
    url.password = role
    const before = await read(queries.docs)
    try {
      await adoptFetchq(url.href)
      expect(await read(queries.docs)).toEqual(before)
      await releaseFetchq(url.href)
      expect(await read(queries.docs)).toEqual(before)
    } finally {
      await database.pool.query(
        `alter database ${name} owner to current_user; drop owned by ${role} cascade; drop role ${role}`,
      )
    }
  })

  test('keeps the old schemas until it is asked to drop them', async () => {
    await adoptFetchq(database.url)
    await expect(adoptFetchq(database.url)).rejects.toMatchObject({
      message: expect.stringContaining('already holds the dialect'),
    })

    await read('select fetchq.drop_adopted()')

    expect(await read(`select from pg_namespace where nspname ~ '^fetchq.*original'`)).toEqual([])
    await expect(releaseFetchq(database.url)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(await read('select from fetchq_data.mail__docs')).toHaveLength(10)
  })

  test.for([
    ['create schema fetchq_original', 'fetchq_original is there already'],
    ['drop table fetchq_data.mail__logs', 'no table fetchq_data.mail__logs'],
    ['drop table fetchq.jobs', 'no table fetchq.jobs'],
    ['alter table fetchq_data.mail__docs drop version', 'mail__docs has no column version integer'],
    ['drop function fetchq.info()', 'no function info'],
    [
      `drop function fetchq.info(); create function fetchq.info() returns text language sql as 'select ''3.2.0'''`,
      'holds Fetchq 3.2.0',
    ],
    [`insert into fetchq.queues (name) values ('MAIL')`, 'queue MAIL more than once'],
    [`insert into fetchq.queues (name) values ('a-b')`, "'a-b', which cannot be the name"],
    [
      `update fetchq_data.mail__docs set lock_upgrade = now() where subject = 'done'`,
      "'done' of fetchq_data.mail__docs has a lock_upgrade",
    ],
    [
      `update fetchq_data.mail__docs set status = 7 where subject = 'dead'`,
      "'dead' of fetchq_data.mail__docs has an unknown status",
    ],
    [`select tusk.enqueue('mail', '{}', p_key => 'mine')`, 'queue mail already'],
    ['alter schema fetchq_data rename to elsewhere', 'there is no schema fetchq_data'],
  ] as const)('refuses a damaged or foreign one, after %s', async ([damage, message]) => {
    await database.pool.query(damage)
    const before = await read(objects)

    await expect(adoptFetchq(database.url)).rejects.toMatchObject({
      ...{ code: expect.stringMatching(/invalid_argument|wrong_state/), hint: expect.any(String) },
      message: expect.stringContaining(message),
    })

    expect(await read(objects)).toEqual(before)
  })

  test('refuses one that is in use, naming the table', async () => {
    const user = await database.pool.connect()
    await user.query(`begin; select from fetchq_data.mail__docs for update`)

    await expect(adoptFetchq(database.url)).rejects.toMatchObject({
      message: expect.stringMatching(
        /table mail__docs of the schema fetchq_data is in use by process/,
      ),
    })

    await user.query('rollback')
    user.release()
  })

  test('has no ghosts after the schema was dropped and the dialect installed anew', async () => {
    await adoptFetchq(database.url)
    await read('drop schema fetchq cascade')

    await installDialect(database.url, { dialect: 'fetchq' })
    await read(`select fetchq.queue_create('mail')`)

    expect(await read('select * from fetchq_data.mail__docs')).toEqual([])
    expect(await read(`select fetchq.doc_push('mail', 'done') as n`)).toEqual([{ n: 1 }])
  })
})
