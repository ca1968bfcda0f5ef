import type pg from 'pg'
import type { RawColumn } from './result-collector.ts'

/** Types whose names need not be queried. */
const known: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'bytea',
  18: '"char"',
  19: 'name',
  20: 'bigint',
  21: 'smallint',
  23: 'integer',
  25: 'text',
  26: 'oid',
  114: 'json',
  700: 'real',
  701: 'double precision',
  705: 'unknown',
  1007: 'integer[]',
  1009: 'text[]',
  1043: 'character varying',
  1082: 'date',
  1083: 'time without time zone',
  1114: 'timestamp without time zone',
  1184: 'timestamp with time zone',
  1186: 'interval',
  1700: 'numeric',
  2249: 'record',
  2278: 'void',
  2950: 'uuid',
  3802: 'jsonb',
}

/** The names of types, as format_type() spells them. Those of a database's own types are queried once per session. */
export class TypeNames {
  readonly #learned = new Map<string, string>()

  of({ type_oid, typmod }: Pick<RawColumn, 'type_oid' | 'typmod'>): string | undefined {
    if (typmod === -1 && known[type_oid] !== undefined) return known[type_oid]
    return this.#learned.get(`${type_oid} ${typmod}`)
  }

  /** The types of a result whose names are still unknown. */
  missing(columns: readonly RawColumn[]): RawColumn[] {
    const missing = columns.filter((column) => this.of(column) === undefined)
    return [...new Map(missing.map((column) => [keyOf(column), column])).values()]
  }

  async learn(client: pg.Client, columns: readonly RawColumn[]): Promise<void> {
    const text = `select pg_catalog.format_type(($1::pg_catalog.oid[])[i], ($2::pg_catalog.int4[])[i]) as name
      from pg_catalog.generate_subscripts($1::pg_catalog.oid[], 1) as i order by i`
    const { rows } = await client.query<{ name: string }>(text, [
      columns.map(({ type_oid }) => type_oid),
      columns.map(({ typmod }) => typmod),
    ])
    columns.forEach((column, at) => {
      this.#learned.set(keyOf(column), rows[at]?.name ?? '???')
    })
  }
}

function keyOf({ type_oid, typmod }: RawColumn): string {
  return `${type_oid} ${typmod}`
}
