import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const sql = fileURLToPath(new URL('../../sql/', import.meta.url))
const dialects = readdirSync(join(sql, 'dialects'))
const engineTables = tablesOf('schema')

/** Uses that are allowed, as `file: table`, each with its reason. */
const exceptions: readonly string[] = []

describe('the SQL of the dialects', () => {
  test('is found, and so are the tables of the engine', () => {
    expect(dialects).toEqual(expect.arrayContaining(['fetchq', 'pg-background', 'pg-task']))
    expect(sqlFiles('dialects').length).toBeGreaterThan(50)
    expect(engineTables).toEqual(
      expect.arrayContaining(['tasks', 'finished', 'keys', 'claims', 'attempts', 'groups']),
    )
  })

  test.each(dialects)('of %s names no table of the engine', (dialect) => {
    const own = tablesOf(`dialects/${dialect}/schema`)
    const foreign = engineTables.filter((table) => !own.includes(table))
    const found = sqlFiles(`dialects/${dialect}`).flatMap((file) =>
      tablesUsed(read(file), foreign).map((table) => `${file}: ${table}`),
    )

    expect(found.filter((use) => !exceptions.includes(use))).toEqual([])
  })

  test('uses every exception', () => {
    const used = sqlFiles('dialects').flatMap((file) =>
      tablesUsed(read(file), engineTables).map((table) => `${file}: ${table}`),
    )

    expect(exceptions.filter((use) => !used.includes(use))).toEqual([])
  })
})

describe('a table of the engine', () => {
  test.each([
    'select id from tasks where id = 1',
    'select from planned, lateral (select from only tasks) as task',
    'select from planned as a, tasks as b',
    'select from (planned join tusk.tasks on true)',
    'select from planned for update of tasks',
    'insert into "tasks" values (1)',
    'UPDATE Tasks set claim = null',
    'delete from planned using tasks',
    'merge into tasks using planned on true',
    'truncate tasks',
    'lock table tasks in exclusive mode',
    'table tasks',
    'create trigger t after insert on tasks',
    `execute format('create trigger %I after insert on tasks', name)`,
    'declare v_old tasks; begin',
    'declare v_all constant tasks[] := null; begin',
    'declare v_old tasks%rowtype; begin',
    'declare v_id tasks.id%type; begin',
    'create function f(p_task tasks, p_now timestamptz) returns void',
    'create function f() returns setof tasks',
    'select null::tasks',
    'select cast(row as tasks)',
    `select 'tasks'::regclass`,
    `select to_regclass('tasks')`,
  ])('is found in: %s', (code) => {
    expect(tablesUsed(code, ['tasks'])).toEqual(['tasks'])
  })

  test.each([
    '-- read from tasks',
    '/* from tasks */ select 1',
    'select tasks from planned',
    'select array_agg(id) as tasks from live_task',
    'select from tasks_now join live_tasks on true',
    'perform forget_documents(v_over.tasks)',
    'select tasks_of(1), v_tasks',
    `perform refuse('TK004', 'the tasks are gone', 'Drop the tasks.')`,
    'create view list.tasks_list as select 1',
  ])('is not found in: %s', (code) => {
    expect(tablesUsed(code, ['tasks'])).toEqual([])
  })
})

/** The tables that the code reads, writes, locks, hangs triggers on or takes for a type. Strings count: they may be SQL. */
function tablesUsed(text: string, tables: readonly string[]): string[] {
  const code = withoutComments(text)
  return tables.filter((table) => {
    const name = `(?:\\w+\\.)?"?${table}"?(?![\\w"])`
    return [
      `\\b(?:from|join|into|update|using|on|of|table|truncate|returns|setof)\\s+(?:only\\s+)?${name}(?!\\.)`,
      // A list of tables. Of columns and arguments there are lists too, but those have no alias.
      `\\b(?:from|using)\\s[^;()]*,\\s*(?:only\\s+)?${name}\\s+as\\b`,
      // A variable or an argument: its name, then the type.
      `\\b[vpc]_\\w+\\s+(?:constant\\s+)?${name}`,
      `(?:::|\\bas\\s+)${name}\\s*(?:\\[\\])?\\s*\\)`,
      `::\\s*${name}`,
      `'${name}'\\s*::\\s*regclass`,
      `\\bto_regclass\\('${name}'`,
    ].some((use) => new RegExp(use, 'i').test(code))
  })
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/--.*$/gm, '')
}

function tablesOf(folder: string): string[] {
  return sqlFiles(folder).flatMap((file) =>
    Array.from(
      withoutComments(read(file)).matchAll(
        /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi,
      ),
      ([, name = '']) => name,
    ),
  )
}

function sqlFiles(folder: string): string[] {
  return readdirSync(join(sql, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort()
}

function read(file: string): string {
  return readFileSync(join(sql, file), 'utf8')
}
