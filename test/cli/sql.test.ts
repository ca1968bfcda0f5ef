import { describe, expect, inject } from 'vitest'
import { tusk } from '../support/cli.ts'
import { test as base } from '../support/sql-tasks.ts'
import { until } from '../support/until.ts'

const test = base.extend<{ run: (...args: string[]) => ReturnType<typeof tusk> }>({
  run: async ({ db, schema }, use) => {
    await db.query('select')
    await use((...args) =>
      tusk(['sql', ...args, '--schema', schema], { DATABASE_URL: inject('pgUrl') }),
    )
  },
})

describe('tusk sql', () => {
  test('refuses a text without a statement', async ({ engine, run }) => {
    const { code, talk } = await run(' ; -- nothing')

    expect(code).not.toBe(0)
    expect(talk).toContain('no statement')
    expect(await engine.rows('select from task')).toEqual([])
  })

  test('says while it waits why, which attempt failed, and when the next comes', async ({
    engine,
    workSql,
  }) => {
    // Comes through at its third attempt.
    await engine.rows('create sequence tries')
    const schema = await engine.value<string>('select current_schema')
    const sql = `do $$ begin
      if nextval('${schema}.tries') < 3 then raise exception 'not yet' using errcode = '40001'; end if;
    end $$`
    await engine.rows(
      `select set_queue('sql', '{"backoff": {"kind": "fixed", "base": "3 seconds"}}')`,
    )
    const talk: string[] = []
    const env = { DATABASE_URL: inject('pgUrl') }
    const args = ['sql', sql, '--wait', '--attempts', '4', '--schema', schema]
    const running = tusk(args, env, undefined, talk)
    await until(async () => talk.join('').includes('waits: no worker serves queue sql.'))
    await workSql()
    await until(async () => talk.join('').includes('attempt 1 of 4 failed'))
    const { code, talk: errors } = await running

    expect(code).toBe(0)
    expect(errors).toMatch(/attempt 1 of 4 failed: not yet\. Next try at \d{4}-/)
  })

  test('enqueues SQL and prints its id', async ({ engine, run }) => {
    const { code, data } = await run(
      'vacuum',
      '--at',
      '2030-01-01',
      '--timeout',
      '5 minutes',
      '--attempts',
      '2',
    )

    expect(code).toBe(0)
    expect(await engine.task(data.trim())).toMatchObject({
      kind: 'sql',
      queue: 'sql',
      state: 'scheduled',
      max_attempts: 2,
      payload: { sql: 'vacuum' },
    })
  })

  test('waits and prints results as tables', async ({ workSql, run }) => {
    await workSql()

    const { code, data } = await run(
      `do $$begin raise notice 'hello'; end$$; select 1 as n, 'é' as letter, null as nothing; select 10 as n, 'two
lines' as letter`,
      '--wait',
      '-o',
      'table',
    )

    expect(code).toBe(0)
    expect(data.split('\n')).toEqual([
      'NOTICE:  hello',
      'DO',
      'n │ letter │ nothing',
      '──┼────────┼────────',
      '1 │ é      │',
      '(1 row)',
      '',
      ' n │ letter',
      '───┼──────────',
      '10 │ two↵lines',
      '(1 row)',
      '',
      '',
    ])
  })

  test('marks where an error is, and exits with 5', async ({ workSql, run }) => {
    await workSql()

    const { code, data, talk } = await run(
      'select 1 as a;\n  select é',
      '--wait',
      '--attempts',
      '1',
      '-o',
      'table',
    )

    expect(code).toBe(5)
    expect(data).toContain('(1 row)')
    expect(talk).toContain(
      [
        'ERROR:  column "é" does not exist (42703)',
        'LINE 2:   select é',
        '                 ^',
      ].join('\n'),
    )
  })

  test('keeps what would move the cursor from a terminal', async ({ workSql, run }) => {
    await workSql()
    const sql = `do $$begin
      raise notice 'two%lines %', chr(10), chr(27) || '[2J';
      raise 'gone %', chr(155) || '[2J';
    end$$`

    const { data, talk } = await run(sql, '--wait', '--attempts', '1', '-o', 'table')
    const copied = await run(`copy (select 1, chr(127)) to stdout`, '--wait', '-o', 'table')

    expect(data).toBe('NOTICE:  two\nlines ·[2J\n')
    expect(talk).toMatch(/^ERROR: {2}gone ·\[2J \(P0001\)$/m)
    expect(copied.data).toBe('1\t·\n')
  })

  test('gives the output as JSON', async ({ workSql, run }) => {
    await workSql()

    const { data } = await run('select 1', '--wait')

    expect(JSON.parse(data)).toMatchObject({
      delivery: 'exactly_once',
      results: [{ rows: [['1']] }],
    })
  })

  test.for([
    ['csv', 'n,letter\n1,"a ""b"""\n2,\n'],
    ['jsonl', '{"n":"1","letter":"a \\"b\\""}\n{"n":"2","letter":null}\n'],
  ] as const)('gives only the rows as %s', async ([format, data], { workSql, run }) => {
    await workSql()
    const sql = `set work_mem = '8MB'; select * from (values (1, 'a "b"'), (2, null)) as t (n, letter)`

    expect(await run(sql, '--wait', '-o', format)).toMatchObject({ code: 0, data })
  })

  test('says what was not kept: rows, results and notices', async ({ workSql, run }) => {
    await workSql()
    const rows = 'select n from generate_series(1, 5) as n'
    const noisy = `do $$ begin raise notice '%', repeat('x', 500); end $$`
    const ways = (sql: string, limit: string[]) =>
      Promise.all(['table', 'csv', 'jsonl'].map((way) => run(sql, '--wait', ...limit, '-o', way)))

    const [asTable, asCsv, asLines] = await ways(rows, ['--max-rows', '2'])
    expect(asTable?.data).toContain('(5 rows, 3 not kept)')
    expect(asCsv).toMatchObject({ data: 'n\n1\n2\n', talk: expect.stringContaining('3 rows') })
    expect(asLines?.talk).toContain('Not all of it was kept: without 3 rows. Raise --max-rows')

    const [cut, cutCsv] = await ways(`${noisy}; ${rows}; select 1`, ['--max-bytes', '400'])
    expect(cut?.data).toMatch(/\(\d results? and 1 notice not kept\)/)
    expect(cutCsv?.talk).toMatch(/Not all of it was kept: without .*\d result/)

    const whole = await run(rows, '--wait', '-o', 'csv')
    expect(whole.talk).not.toContain('Not all')
  })

  test('stops waiting after so many seconds, with 124', async ({ run }) => {
    const { code, talk } = await run('select 1', '--wait', '1')

    expect(code).toBe(124)
    expect(talk).toContain('tusk: ')
  })

  test('plans SQL that runs again and again', async ({ engine, run }) => {
    const { code, talk } = await run('select  1', '--every', '15 minutes', '--max-rows', '7')

    expect(code).toBe(0)
    expect(talk).toContain('Schedule select 1: ')
    expect(await engine.rows('select name, every::text from schedules')).toEqual([
      { name: 'select 1', every: '00:15:00' },
    ])
  })

  test('says what is invalid', async ({ run }) => {
    expect(await run('select 1', '--every', '1 hour', '--wait')).toMatchObject({ code: 2 })
    expect(await run('select 1', '--remote', 'nowhere')).toMatchObject({
      code: 2,
      talk: expect.stringContaining(`no connection named 'nowhere'`),
    })
    expect(await run('select 1', '--at', 'soon')).toMatchObject({ code: 2 })
    expect(await run('select 1', '--name', 'one')).toMatchObject({
      code: 2,
      data: '',
      talk: expect.stringContaining('--name is the name of a schedule'),
    })
  })
})
