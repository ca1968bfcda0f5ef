import { escapeLiteral } from 'pg'
import { type SqlFile, sqlFile } from '../db/sql-files.ts'
import type { Dialect } from './dialect.ts'

/**
 * The migration that comes before all others of a dialect: it says which dialect this is and over
 * which engine, in the schema itself. A migration, so that neither can change later.
 */
export function standsOn(dialect: Dialect, engineSchema: string): SqlFile {
  const text = `-- Which dialect this schema speaks, and over which engine.
create table installed_dialect (
  name          text not null,
  engine_schema text not null
);

insert into installed_dialect (name, engine_schema)
values (${escapeLiteral(dialect.name)}, ${escapeLiteral(engineSchema)});
`
  return sqlFile('migrations/0000_stands_on.sql', text)
}
