import { escapeLiteral } from 'pg'
import { type SqlFile, sqlFile } from '../db/sql-files.ts'
import type { Dialect } from './dialect.ts'

/**
 * The file that comes before all others of a dialect: it records in the schema which dialect this is and over
 * which engine. It is applied once, so neither can change later.
 */
export function dialectMigration(dialect: Dialect, engineSchema: string): SqlFile {
  const text = `-- Which dialect this schema speaks, and over which engine.
create table installed_dialect (
  name          text not null,
  engine_schema text not null
);

insert into installed_dialect (name, engine_schema)
values (${escapeLiteral(dialect.name)}, ${escapeLiteral(engineSchema)});
`
  return sqlFile('schema/installed_dialect.sql', text)
}
