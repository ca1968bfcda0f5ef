import { describe, expect } from 'vitest'
import { type TaskTable, test } from './support.ts'

/** An input, and the text of its error; STATEMENT is the input itself unless a line of it is here. */
const errors: readonly (readonly [string, string])[] = [
  ['select 1/0', 'ERROR:  division by zero'],
  ['selec 1', 'ERROR:  syntax error at or near "selec" at character 1'],
  ['select 1;\nselec 2', 'ERROR:  syntax error at or near "selec" at character 11'],
  ['select ☃', 'ERROR:  column "☃" does not exist at character 8'],
  ["select '☃🐘', nope", 'ERROR:  column "nope" does not exist at character 14'],
  ['select * from nowhere', 'ERROR:  relation "nowhere" does not exist at character 15'],
  ["select 'x'::int", 'ERROR:  invalid input syntax for type integer: "x" at character 8'],
  [
    'create temp table t (a int primary key); insert into t values (1), (1)',
    'ERROR:  duplicate key value violates unique constraint "t_pkey"\nDETAIL:  Key (a)=(1) already exists.',
  ],
  [
    'create temp table t (a int not null); insert into t values (null)',
    'ERROR:  null value in column "a" of relation "t" violates not-null constraint\nDETAIL:  Failing row contains (null).',
  ],
  [
    'select no_such_function(1)',
    'ERROR:  function no_such_function(integer) does not exist at character 8\nHINT:  No function matches the given name and argument types. You might need to add explicit type casts.',
  ],
  [
    `do $$begin raise exception 'one\ntwo' using detail = 'd\ne', hint = 'h'; end$$`,
    'ERROR:  one\n\ttwo\nDETAIL:  d\n\te\nHINT:  h\nCONTEXT:  PL/pgSQL function inline_code_block line 1 at RAISE',
  ],
  [
    `do $$begin execute 'select * from nowhere'; end$$`,
    'ERROR:  relation "nowhere" does not exist at character 15\nQUERY:  select * from nowhere\nCONTEXT:  PL/pgSQL function inline_code_block line 1 at EXECUTE',
  ],
  [
    'create temp table t (a int); copy t from stdin',
    'ERROR:  COPY from stdin failed: COPY FROM STDIN is not supported\nCONTEXT:  COPY t, line 1',
  ],
  ['begin; select 1/0', 'ERROR:  division by zero'],
  ['savepoint s', 'ERROR:  SAVEPOINT can only be used in transaction blocks'],
  ['set no_such_setting = 1', 'ERROR:  unrecognized configuration parameter "no_such_setting"'],
  ['drop table nowhere', 'ERROR:  table "nowhere" does not exist'],
  ['begin; vacuum pg_namespace', 'ERROR:  VACUUM cannot run inside a transaction block'],
]

/** What is printed before an error, undone or not. */
const before: readonly (readonly [string, string])[] = [
  ['select 1; select 1/0', '1'],
  ['select 1 as a, 2 as b; select 1/0', 'a\tb\n1\t2'],
  ['begin; select 7; commit; select 1/0', 'BEGIN\n7\nCOMMIT'],
  ['select 1; selec 2', ''],
]

/** Columns, and the output. */
const formats: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ input: 'select 1 as a, 2 as b' }, 'a\tb\n1\t2'],
  [{ input: 'select 1 as a, 2 as b', header: false }, '1\t2'],
  [{ input: 'select 1 as a, null as b', delimiter: ',', null: 'NULL' }, 'a,b\n1,NULL'],
  [{ input: `select 'x' as a, 2 as b`, quote: '"' }, '"a"\t"b"\n"x"\t2'],
  [{ input: `select 'x' as a, 2 as b`, quote: '"', string: false }, '"a"\t"b"\n"x"\t"2"'],
  [{ input: `select 'say "hi"'`, quote: '"', escape: '\\' }, '"say \\"hi\\""'],
  [{ input: 'select 1 as a, 2 as b', delimiter: '' }, 'ab\n12'],
  [{ input: 'begin; select 1' }, 'BEGIN\n1\nCOMMIT'],
  [{ input: 'vacuum pg_namespace' }, 'VACUUM'],
  [
    { input: 'select generate_series(1, 1500)' },
    Array.from({ length: 1500 }, (_, n) => n + 1).join('\n'),
  ],
]

/** Runs tasks of one group each, all at once, and gives their rows in order. */
async function runAll(table: TaskTable, tasks: readonly Readonly<Record<string, unknown>>[]) {
  const ids = await Promise.all(
    tasks.map((columns, at) => table.insert({ group: `${at}`, ...columns })),
  )
  return Promise.all(ids.map((id) => table.when(id, 'DONE', 'FAIL')))
}

describe('error', () => {
  test('is in the lines of the server’s log', async ({ table, serve }) => {
    await serve()

    const rows = await runAll(
      table,
      errors.map(([input]) => ({ input })),
    )

    const reported = rows.map(({ input, error }) => [input, error])
    const meant = errors.map(([input, lines]) => [
      input,
      `${lines}\nSTATEMENT:  ${input.replaceAll('\n', '\n\t')}`,
    ])
    expect(reported).toEqual(meant)
    expect(rows.map(({ state }) => state)).toEqual(errors.map(() => 'FAIL'))
  })

  test('leaves what was printed before it', async ({ table, serve }) => {
    await serve()

    const rows = await runAll(
      table,
      before.map(([input]) => ({ input })),
    )

    expect(rows.map(({ input, output }) => [input, output])).toEqual(before)
  })

  test.for([
    ['terse', 'ERROR:  one\nSTATEMENT:  x'],
    ['default', 'ERROR:  one\nDETAIL:  two\nSTATEMENT:  x'],
    ['verbose', 'ERROR:  22012: one\nDETAIL:  two\nLOCATION:  int4div, int.c:7\nSTATEMENT:  x'],
  ] as const)(
    'is %s when the server’s log is',
    async ([verbosity, text], { table, engine, connect }) => {
      const id = await table.insert({ input: 'x' })
      const client = await connect()
      await client.query(`set log_error_verbosity = ${verbosity}`)

      await engine.on(client).fail(await engine.claimOne(table.queue), {
        ...{ code: '22012', severity: 'ERROR', message: 'one', detail: 'two', statement: 0 },
        ...{ routine: 'int4div', file: 'int.c', line: '7' },
      })

      expect(await table.row(id)).toMatchObject({ error: text })
    },
  )

  test.for([
    ['connection_failed', 'ERROR:  PQconnectPoll failed\nDETAIL:  a\n\tb'],
    ['connection_lost', 'ERROR:  PQstatus == CONNECTION_BAD\nDETAIL:  a\n\tb'],
    ['connection_string_invalid', 'ERROR:  PQconninfoParse failed\nDETAIL:  a\n\tb'],
  ] as const)(
    'of a %s is worded as libpq’s users know it',
    async ([code, text], { table, engine }) => {
      const id = await table.insert({ input: 'x', remote: 'host=h' })

      await engine.fail(await engine.claimOne(table.queue), { code, message: 'a\nb', statement: 0 })

      expect(await table.row(id)).toMatchObject({ state: 'FAIL', output: '', error: text })
    },
  )

  test('leaves the statement out when the server’s log does', async ({
    table,
    engine,
    connect,
  }) => {
    const id = await table.insert({ input: 'x' })
    const client = await connect()
    await client.query('set log_min_error_statement = panic')

    await engine
      .on(client)
      .fail(await engine.claimOne(table.queue), { message: 'one', statement: 0 })

    expect(await table.row(id)).toMatchObject({ error: 'ERROR:  one' })
  })
})

describe('output', () => {
  test('is as the columns of its row say', async ({ table, serve }) => {
    await serve()

    const rows = await runAll(
      table,
      formats.map(([columns]) => columns),
    )

    expect(rows.map(({ output }) => output)).toEqual(formats.map(([, output]) => output))
  })
})
