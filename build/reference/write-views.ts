import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { readComment } from './comment-blocks.ts'
import { code, type GeneratedPage, generatedNote, plain, table } from './generated-page.ts'

interface Row {
  readonly name: string
  readonly role: string
  readonly columns: readonly string[]
  readonly types: readonly string[]
}

const query = `
  select relname as name, readers.role,
         array(select attname::text from pg_attribute
               where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
         array(select format_type(atttypid, atttypmod) from pg_attribute
               where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as types
  from pg_class as c
  cross join lateral (
    select role from unnest(array['producer', 'worker', 'operator', 'admin']) with ordinality as r (role, place)
    where has_table_privilege($1 || role, c.oid, 'select') order by place limit 1
  ) as readers
  where relnamespace = current_schema()::regnamespace and relkind = 'v'
  order by relname`

/** The views that some role may read. `rolePrefix` is what the names of the roles begin with. */
export async function writeViews(
  root: string,
  db: pg.Pool,
  rolePrefix: string,
): Promise<GeneratedPage> {
  const { rows } = await db.query<Row>(query, [rolePrefix])
  const comments = readComments(root)
  const sections = rows.map(({ name, role, columns, types }) => {
    const comment = comments.get(name)
    if (comment === undefined) throw new Error(`no comment in sql/views opens with "${name}"`)
    return [
      `## ${name}`,
      `**${plain(comment.title.replace(/^\w+ — /, ''))}**`,
      comment.body,
      table(
        ['Column', 'Type'],
        columns.map((column, n) => [code(column), code(types[n] ?? '')]),
      ),
      `Role: ${role}.`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')
  })
  const text = `${generatedNote}

# SQL: views

What you may read. Everything else in the schema is the engine's own and may change with any release. [All verbs](index.md)

${sections.join('\n\n')}
`
  return { path: 'reference/sql/views.md', text }
}

/** Each view's comment stands above its \`create view\`. */
function readComments(root: string): Map<string, ReturnType<typeof readComment>> {
  const folder = join(root, 'sql/views')
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const blocks = texts.flatMap((text) => text.split(/\n(?=-- \w+ — )/))
  return new Map(
    blocks.map((block) => {
      const comment = readComment(block.trimStart())
      return [comment.title.split(' ')[0] ?? '', comment] as const
    }),
  )
}
