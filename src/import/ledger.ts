import { escapeIdentifier } from 'pg'
import type { Queryable } from '../db/queryable.ts'

/** What was moved: enough to put it back. `task` is null for a schedule, `job` for one that came from a file. */
export interface Moved {
  readonly kind: 'job' | 'schedule'
  readonly row_id: string
  readonly task: string | null
  readonly job: string | null
}

/** Which import a row of the ledger belongs to. */
export interface Origin {
  readonly source: string
  readonly schema: string
}

/**
 * The ledger of imports: a table in a schema of its own, `<engine>_import`, that is there until every import is
 * confirmed. It is not part of the engine, whose tables only verbs write.
 */
export class Ledger {
  readonly #schema: string
  readonly #table: string

  constructor(engineSchema: string) {
    this.#schema = `${engineSchema}_import`
    this.#table = `${escapeIdentifier(this.#schema)}.moved`
  }

  async create(db: Queryable): Promise<void> {
    await db.query(`create schema if not exists ${escapeIdentifier(this.#schema)}`)
    await db.query(`
      create table if not exists ${this.#table} (
        source        text        not null,
        source_schema text        not null,
        kind          text        not null,
        row_id        text        not null,
        task          bigint,
        job           json,
        moved_at      timestamptz not null default clock_timestamp(),
        primary key (source, source_schema, kind, row_id)
      )`)
  }

  async exists(db: Queryable): Promise<boolean> {
    const text = 'select to_regclass($1) is not null as exists'
    return (await db.query<{ exists: boolean }>(text, [this.#table])).rows[0]?.exists ?? false
  }

  async add(db: Queryable, { source, schema }: Origin, moved: readonly Moved[]): Promise<void> {
    await db.query(
      `insert into ${this.#table} (source, source_schema, kind, row_id, task, job)
       select $1, $2, * from unnest($3::text[], $4::text[], $5::bigint[], $6::text[]::json[])`,
      [
        source,
        schema,
        moved.map(({ kind }) => kind),
        moved.map(({ row_id }) => row_id),
        moved.map(({ task }) => task),
        moved.map(({ job }) => job),
      ],
    )
  }

  /** The next rows of an import after `place`, a row id; null to begin with. */
  async read(
    db: Queryable,
    { source, schema }: Origin,
    kind: Moved['kind'],
    place: string | null,
    limit: number,
  ): Promise<Moved[]> {
    const { rows } = await db.query<Moved>(
      `select kind, row_id, task::text, job::text from ${this.#table}
       where source = $1 and source_schema = $2 and kind = $3 and ($4::text is null or row_id > $4)
       order by row_id limit $5 for update`,
      [source, schema, kind, place, limit],
    )
    return rows
  }

  async remove(
    db: Queryable,
    { source, schema }: Origin,
    kind: Moved['kind'],
    rowIds: readonly string[],
  ): Promise<void> {
    await db.query(
      `delete from ${this.#table}
       where source = $1 and source_schema = $2 and kind = $3 and row_id = any ($4)`,
      [source, schema, kind, rowIds],
    )
  }

  /** Forgets an import, and the ledger when no other import is in it. Gives how many rows it forgot. */
  async forget(db: Queryable, { source, schema }: Origin): Promise<number> {
    const { rowCount } = await db.query(
      `delete from ${this.#table} where source = $1 and source_schema = $2`,
      [source, schema],
    )
    const { rows } = await db.query(`select from ${this.#table} limit 1`)
    if (rows.length === 0) {
      await db.query(`drop table ${this.#table}`)
      await db.query(`drop schema ${escapeIdentifier(this.#schema)}`)
    }
    return rowCount ?? 0
  }
}
