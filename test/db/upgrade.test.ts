import { describe, expect } from 'vitest'
import { listMigrations } from '../../src/db/migrate.ts'
import { test } from '../support/schema.ts'
import { baseline, first, second } from '../support/versions.ts'

/** The first version with some files replaced; undefined takes one away. */
function firstBut(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const files = Object.entries({ ...first, ...changes })
  return Object.fromEntries(
    files.flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])),
  )
}

const functionOids = `
  select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as name, oid
  from pg_proc where pronamespace = $1::regnamespace order by 1`

const functionNames = `
  select oid::regprocedure::text as name from pg_proc
  where pronamespace = $1::regnamespace and proname like 'note%' order by 1`

describe('a migration', () => {
  test('is refused when it was edited after it had been applied', async ({ schema }) => {
    await schema.upgrade(first)

    const edited = firstBut({ 'migrations/0001_notes.sql': 'create table notes (id bigint);' })

    await expect(schema.upgrade(edited)).rejects.toMatchObject({
      code: 'migration_edited',
      message: expect.stringContaining('migrations/0001_notes.sql'),
      hint: expect.stringContaining('new migration'),
    })
  })

  test('that this version does not know is refused, whatever else is new', async ({ schema }) => {
    await schema.upgrade(second)

    const older = firstBut({ 'verbs/other.sql': 'select 1' })

    await expect(schema.upgrade(older)).rejects.toMatchObject({
      code: 'schema_newer',
      message: expect.stringContaining('migrations/0002_authors.sql'),
      hint: expect.stringContaining('Upgrade pgtusk'),
    })
  })

  test('may change a column that a view reads', async ({ schema }) => {
    await schema.upgrade(first)

    await schema.upgrade(
      firstBut({ 'migrations/0002_ids.sql': 'alter table notes alter column text type varchar;' }),
    )

    expect(await schema.value('select count(*)::int from :s.note_list')).toBe(0)
  })
})

describe('a file of the baseline', () => {
  test('is applied before all migrations, and once', async ({ schema }) => {
    await schema.upgrade(baseline)
    await schema.query(`select :s.note('kept')`)

    const next = {
      ...baseline,
      'migrations/0001_mood.sql': 'alter table notes add column mood text;',
    }
    const report = await schema.upgrade(next)

    expect(report.applied).toEqual(['migrations/0001_mood.sql'])
    expect(await schema.query('select text, mood from :s.notes')).toEqual([
      { text: 'kept', mood: null },
    ])
    const states = await listMigrations(schema.db, schema.options)
    expect(states.slice(0, 2)).toMatchObject([
      { path: 'schema/notes.sql', state: 'applied' },
      { path: 'migrations/0001_mood.sql', state: 'applied' },
    ])
  })

  test('is rejected when it was edited after it had been applied', async ({ schema }) => {
    await schema.upgrade(baseline)

    const edited = { ...baseline, 'schema/notes.sql': 'create table notes (id bigint);' }

    await expect(schema.upgrade(edited)).rejects.toMatchObject({
      code: 'migration_edited',
      message: expect.stringContaining('schema/notes.sql'),
    })
    expect((await listMigrations(schema.db, schema.options))[0]).toMatchObject({ state: 'edited' })
  })

  test('that this version does not know is rejected', async ({ schema }) => {
    await schema.upgrade({ ...baseline, 'schema/others.sql': 'create table others ();' })

    await expect(schema.upgrade(baseline)).rejects.toMatchObject({
      code: 'schema_newer',
      message: expect.stringContaining('schema/others.sql'),
    })
  })
})

describe('a function', () => {
  test('keeps its OID when its body changes, and so do the others', async ({ schema }) => {
    await schema.upgrade(first)
    const before = await schema.query(functionOids, [schema.name])

    const body = first['verbs/note_count.sql'].replace('count(*)', 'count(*) + 100')
    const report = await schema.upgrade(firstBut({ 'verbs/note_count.sql': body }))

    expect(report.applied).toEqual(['verbs/note_count.sql'])
    expect(await schema.value('select :s.note_count()')).toBe('100')
    expect(await schema.query(functionOids, [schema.name])).toEqual(before)
  })

  test('with other arguments leaves no old overload', async ({ schema }) => {
    await schema.upgrade(first)

    await schema.upgrade(
      firstBut({
        'verbs/note.sql': second['verbs/note.sql']
          ?.replace(', author)', ')')
          .replace(', p_author)', ')'),
      }),
    )

    const names = await schema.query<{ name: string }>(functionNames, [schema.name])
    expect(names.map(({ name }) => name.replace(/^.*\./, ''))).toEqual([
      'note(text,text)',
      'note_count(text)',
    ])
  })

  test.for([
    ['another return type', `note_count(p_like text default '%') returns integer`],
    ['another argument name', `note_count(p_pattern text default '%') returns bigint`],
    ['no default any more', 'note_count(p_like text) returns bigint'],
    [
      'columns in place of a value',
      `note_count(p_like text default '%') returns table (count bigint)`,
    ],
  ])('may be given %s', async ([, signature], { schema }) => {
    await schema.upgrade(first)

    await schema.upgrade(
      firstBut({
        'verbs/note_count.sql': `create or replace function ${signature} language plpgsql as $$ begin end $$`,
      }),
    )

    expect(await schema.query(functionNames, [schema.name])).toHaveLength(2)
  })

  test('may become a procedure', async ({ schema }) => {
    await schema.upgrade(first)

    await schema.upgrade(
      firstBut({
        'verbs/note_count.sql':
          'create or replace procedure note_count(p_like text) language sql as $$ $$',
      }),
    )

    await expect(schema.query(`call :s.note_count('%')`)).resolves.toEqual([])
  })

  test('that a view calls may change its return type', async ({ schema }) => {
    const view = { 'views/counts.sql': 'create view counts as select note_count();' }
    await schema.upgrade(firstBut(view))

    const integer = first['verbs/note_count.sql'].replace('bigint', 'numeric')
    await schema.upgrade(firstBut({ ...view, 'verbs/note_count.sql': integer }))

    expect(await schema.query('select * from :s.counts')).toEqual([{ note_count: '0' }])
    expect(await schema.query('select * from :s.a_summary')).toEqual([{ latest: null }])
  })

  test('goes when its file goes', async ({ schema }) => {
    await schema.upgrade(first)

    const report = await schema.upgrade(firstBut({ 'verbs/note_count.sql': undefined }))

    expect(report).toMatchObject({ applied: [], removed: ['verbs/note_count.sql'] })
    expect(await schema.query(functionNames, [schema.name])).toHaveLength(1)
  })

  test('keeps its OID when it moves to another file or folder', async ({ schema }) => {
    await schema.upgrade(first)
    const before = await schema.query(functionOids, [schema.name])

    await schema.upgrade(
      firstBut({
        'verbs/note.sql': undefined,
        'verbs/notes.sql': first['verbs/note.sql'],
        'core/now_pinned.sql': undefined,
        'core/clocks/now_pinned.sql': first['core/now_pinned.sql'],
      }),
    )

    expect(await schema.query(functionOids, [schema.name])).toEqual(before)
  })

  test('that another role made in the schema stays', async ({ schema }) => {
    await schema.upgrade(first)
    await schema.query('create function :s.theirs() returns integer language sql as $$ select 7 $$')

    await schema.upgrade(second)

    expect(await schema.value('select :s.theirs()')).toBe(7)
  })
})

describe('a view', () => {
  test('may lose, gain and reorder columns, also under another view', async ({ schema }) => {
    await schema.upgrade(first)

    const report = await schema.upgrade(
      firstBut({ 'views/note_list.sql': 'create view note_list as select size, id from notes;' }),
    )

    expect(report.applied).toEqual(['views/note_list.sql'])
    await schema.query(`select :s.note('hello')`)
    expect(await schema.query('select * from :s.note_list, :s.a_summary')).toEqual([
      { size: 5, id: '1', latest: '1' },
    ])
  })

  test('goes when its file goes', async ({ schema }) => {
    await schema.upgrade(first)

    const { 'grants.sql': _, ...files } = firstBut({ 'views/a_summary.sql': undefined })
    await schema.upgrade(files)

    expect(
      await schema.query('select viewname from pg_views where schemaname = $1', [schema.name]),
    ).toEqual([{ viewname: 'note_list' }])
  })
})

describe('a trigger', () => {
  test('may change its function and its events', async ({ schema }) => {
    await schema.upgrade(first)

    await schema.upgrade(
      firstBut({ 'triggers/notes_measured.sql': second['triggers/notes_measured.sql'] }),
    )

    await schema.query(`select :s.note('é')`)
    expect(await schema.value('select size from :s.notes')).toBe(2)
  })

  test('goes with its function when its file goes', async ({ schema }) => {
    await schema.upgrade(first)

    await schema.upgrade(firstBut({ 'triggers/notes_measured.sql': undefined }))

    await schema.query(`select :s.note('hello')`)
    expect(await schema.value('select size from :s.notes')).toBeNull()
  })
})

describe('the list of migrations', () => {
  test('tells how each file stands', async ({ schema }) => {
    await schema.upgrade(first)
    await schema.release({
      ...second,
      'migrations/0001_notes.sql': 'select 1',
      'verbs/note_total.sql': 'select 1',
    })

    const states = await listMigrations(schema.db, schema.options)

    expect(Object.fromEntries(states.map(({ path, state }) => [path, state]))).toEqual({
      'migrations/0001_notes.sql': 'edited',
      'migrations/0002_authors.sql': 'pending',
      'core/now_pinned.sql': 'applied',
      'verbs/note.sql': 'changed',
      'verbs/note_total.sql': 'pending',
      'views/note_list.sql': 'changed',
      'views/a_summary.sql': 'changed',
      'triggers/notes_measured.sql': 'changed',
      'grants.sql': 'changed',
      'verbs/note_count.sql': 'removed',
    })
  })

  test('shows all as pending where nothing is installed', async ({ schema }) => {
    await schema.release(first)

    const states = await listMigrations(schema.db, schema.options)

    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['pending']))
  })
})
