import { beforeEach, describe, expect } from 'vitest'
import { test } from '../../support/sql-tasks.ts'

/** A text, and what it is as text in the plainest format. */
const plain: readonly (readonly [string, string | null])[] = [
  ['', null],
  ['-- nothing', null],
  [';;', null],
  ['select 1', '1'],
  ['select 1 as a, 2 as b', 'a\tb\n1\t2'],
  ['select 1 as a, null as b', 'a\tb\n1\t\\N'],
  ['select null', '\\N'],
  ['select 1 where false', null],
  ['select 1; select 2', '1\n2'],
  ['select 1 as a, 2 as b; select 3 as c, 4 as d', 'a\tb\n1\t2\nc\td\n3\t4'],
  ['values (1, 2), (3, 4)', 'column1\tcolumn2\n1\t2\n3\t4'],
  ['select from generate_series(1, 2)', ''],
  ["select ''; select ''; select 'x'; select ''; select 'y'", 'x\n\ny'],
  ['select pg_notify($$c$$, $$$$)', ''],
  ["select 'a\nb'", 'a\nb'],
  ["select 'tab\there'", 'tab\there'],
  ["select 'snowman ☃ 🐘'", 'snowman ☃ 🐘'],
  ['select true as a, false as b', 'a\tb\nt\tf'],
  ['select 1.50::numeric(10,2)', '1.50'],
  ["select 'NaN'::float8", 'NaN'],
  ['select 1e300::float8', '1e+300'],
  ['select 9223372036854775807', '9223372036854775807'],
  ["select '2026-11-16'::date", '2026-11-16'],
  ["select '1 day 02:30'::interval", '1 day 02:30:00'],
  ["select '2026-11-16 01:02:03.5'::timestamp", '2026-11-16 01:02:03.5'],
  ["select '\\x00ff'::bytea", '\\x00ff'],
  ["select '{1,2,null}'::int[]", '{1,2,NULL}'],
  ['select \'{"b": 1, "a": [2]}\'::jsonb', '{"a": [2], "b": 1}'],
  ['select \'{"b":1}\'::json', '{"b":1}'],
  ['select \'a\'::"char"', 'a'],
  ["select 'n'::name", 'n'],
  ["select '101'::bit(3), '10'::varbit", 'bit\tvarbit\n101\t10'],
  ["select '6f1a3c1e-0000-4000-8000-000000000000'::uuid", '6f1a3c1e-0000-4000-8000-000000000000'],
  ["select '10.0.0.0/8'::cidr", '10.0.0.0/8'],
  ["select '[1,5)'::int4range", '[1,5)'],
  ["select '(1,2)'::point", '(1,2)'],
  ["select row(1, 'a', null)", '(1,a,)'],
  ['select 1::oid, $$pg_class$$::regclass', 'oid\tregclass\n1\tpg_class'],
  ['create temp table t (a int)', 'CREATE TABLE'],
  ['create temp table t as select 1', 'SELECT 1'],
  ['select 1 as a into temp t', 'SELECT 1'],
  ['create temp table t (a int); insert into t values (1), (2)', 'CREATE TABLE\nINSERT 0 2'],
  [
    'create temp table t (a int); insert into t values (1), (2) returning a, a * 2 as b',
    'CREATE TABLE\na\tb\n1\t2\n2\t4',
  ],
  [
    'create temp table t (a int); insert into t values (1); update t set a = 2; delete from t',
    'CREATE TABLE\nINSERT 0 1\nUPDATE 1\nDELETE 1',
  ],
  ['create temp table t (a int); update t set a = 1 returning a', 'CREATE TABLE'],
  [
    'create temp table t (a int); merge into t using (values (1)) as s (b) on a = b when not matched then insert values (b)',
    'CREATE TABLE\nMERGE 1',
  ],
  [
    'create temp table t (a int); truncate t; drop table t',
    'CREATE TABLE\nTRUNCATE TABLE\nDROP TABLE',
  ],
  ['set application_name = x; show application_name', 'SET\nx'],
  ['reset all', 'RESET'],
  ['do $$begin perform 1; end$$', 'DO'],
  ['begin; select 1; commit', 'BEGIN\n1\nCOMMIT'],
  ['begin; select 1; rollback; select 2', 'BEGIN\n1\nROLLBACK\n2'],
  ['begin; select 1', 'BEGIN\n1'],
  ['savepoint s', ''],
  ['prepare p as select 5; execute p', 'PREPARE\n5'],
  ['declare c cursor for select 1; fetch c; close c', 'DECLARE CURSOR\n1\nCLOSE CURSOR'],
  ['explain (costs off) select 1', 'Result'],
  ['notify c', 'NOTIFY'],
  ['listen c', 'LISTEN'],
  ['analyze pg_namespace', 'ANALYZE'],
  ['vacuum pg_namespace', 'VACUUM'],
  ['lock table pg_namespace in access share mode', 'LOCK TABLE'],
  ['comment on schema public is null', 'COMMENT'],
  ['copy (values (1, 2)) to stdout', '1\t2\n'],
  ['select 7; copy (values (1), (2)) to stdout', '71\n2\n'],
  ['copy (values (1)) to stdout; select 2 as a, 3 as b', '1\n\na\tb\n2\t3'],
  ['copy (select where false) to stdout', ''],
  ['select 1; select 1/0', '1'],
  ['select 1/0', ''],
  ['selec 1', ''],
  ['create temp table t (a int); copy t from stdin', 'CREATE TABLE'],
  ['with x as (select 1 as a) table x', '1'],
  ["select * from (values ('a', 1), ('b', null)) as v (k, n)", 'k\tn\na\t1\nb\t\\N'],
]

/** In the formats that the paper has. */
const formatted: readonly (readonly [string, object, string])[] = [
  ['select 1 as a, 2 as b', { header: false }, '1\t2'],
  ['select 1 as a, 2 as b', { delimiter: ', ' }, 'a, b\n1, 2'],
  ['select 1 as a, 2 as b', { delimiter: '' }, 'ab\n12'],
  ["select 'x' as a, 2 as b, null as c", { quote: '"' }, '"a"\t"b"\t"c"\n"x"\t2\t\\N'],
  ["select 'x' as a, 2 as b", { quote: '"', string: false }, '"a"\t"b"\n"x"\t"2"'],
  ['select \'say "hi"\'', { quote: '"' }, '"say "hi""'],
  ['select \'say "hi"\'', { quote: '"', escape: '"' }, '"say ""hi"""'],
  ["select 'a\\b\"c'", { quote: '"', escape: '\\' }, '"a\\\\b\\"c"'],
  ["select 'a\\b'", { escape: '\\' }, 'a\\b'],
  ['select null', { null: '<none>' }, '<none>'],
  [
    'select now()::date = now()::date, 1.5, $$2020-01-01$$::date',
    { quote: "'", header: false },
    "t\t1.5\t'2020-01-01'",
  ],
  ['begin; select 1', { implied: true }, 'BEGIN\n1\nCOMMIT'],
]

describe('output_as_text', () => {
  beforeEach(async ({ workSql }: { workSql: () => Promise<unknown> }) => void (await workSql()))

  test('tells every kind of statement and type as the paper does', async ({
    engine,
    enqueueSql,
    allDone,
  }) => {
    const all = [...plain.map(([sql, text]) => [sql, {}, text] as const), ...formatted]
    const ids = await Promise.all(all.map(([sql]) => enqueueSql({ sql, allow_empty: true })))
    await allDone()

    const reported = await Promise.all(
      ids.map((id, at) =>
        engine.value(
          'select output_as_text(coalesce(output, error), $2) from finished where id = $1',
          id,
          all[at]?.[1],
        ),
      ),
    )

    const pairs = all.map(([sql, format], at) => ({ sql, format, text: reported[at] }))
    expect(pairs).toEqual(all.map(([sql, format, text]) => ({ sql, format, text })))
  })

  test.for(['[]', '5', '{"header": "maybe"}', '{"heading": true}'])(
    'is refused with the format %s',
    async (format, { engine }) => {
      await expect(
        engine.rows(`select output_as_text('{"results": 5}', $1)`, format),
      ).rejects.toMatchObject({ code: 'invalid_argument' })
    },
  )

  test('of a task that is not a SQL task is nothing', async ({ engine }) => {
    expect(await engine.value(`select output_as_text('{"results": 5}')`)).toBeNull()
  })
})
