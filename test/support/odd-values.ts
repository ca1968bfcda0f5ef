/**
 * Values that are valid for their type and yet odd, as SQL expressions: what Postgres takes in and
 * a verb may stumble over. Keyed by the name that format_type() gives.
 */
export const oddValues: Readonly<Record<string, readonly string[]>> = {
  text: [
    'null::text',
    "''::text",
    "'*'::text",
    "'@mail'::text",
    `'a''b"c\\d{e},f%s%I$1'::text`,
    "E'line\\nline\\ttab\\x01'::text",
    "'😀 ünï'::text",
    // As random as it takes: a long text that compresses well fits into an index after all.
    wideText(200),
    wideText(500),
    wideText(2000),
    `${randomText(300)}`,
    `${randomText(9000)}`,
    `${randomText(300_000)}`,
  ],
  integer: ['null::integer', '0', '-1', '2147483647', '-2147483648'],
  bigint: [
    'null::bigint',
    '0::bigint',
    '-1::bigint',
    '9223372036854775807',
    "'-9223372036854775808'::bigint",
  ],
  boolean: ['null::boolean', 'true', 'false'],
  interval: [
    'null::interval',
    "'0'::interval",
    "'-1 second'::interval",
    "'178000000 years'::interval",
    "'-178000000 years'::interval",
    "'2147483647 days'::interval",
    "'1000 years -365243 days'::interval",
    "'0.000001 seconds'::interval",
  ],
  'timestamp with time zone': [
    'null::timestamptz',
    "'infinity'::timestamptz",
    "'-infinity'::timestamptz",
    "'294276-12-31 23:59:59+00'::timestamptz",
    "'4713-01-02 00:00:00+00 BC'::timestamptz",
    "'epoch'::timestamptz",
  ],
  jsonb: [
    'null::jsonb',
    "'null'::jsonb",
    "'true'::jsonb",
    "'-1e400'::jsonb",
    `'"text"'::jsonb`,
    "'[]'::jsonb",
    "'{}'::jsonb",
    "'[null]'::jsonb",
    "'[[[]], {}, 1]'::jsonb",
    `'{"": {"a": [null, {"b": 1e999}]}}'::jsonb`,
    "(repeat('[', 900) || repeat(']', 900))::jsonb",
    `to_jsonb(${randomText(300_000)})`,
    `jsonb_build_object(${randomText(9000)}, 1)`,
  ],
  bytea: ['null::bytea', "''::bytea", "'\\xff'::bytea", "convert_to(repeat('x', 100000), 'UTF8')"],
  regclass: ['null::regclass', '0::regclass', "'pg_class'::regclass", '4294967295::oid::regclass'],
}

/** An expression of Postgres for so many characters of four bytes each that do not compress. */
function wideText(length: number): string {
  return `(select string_agg(chr(131072 + (hashint4(i) & 32767)), '') from generate_series(1, ${length}) as i)`
}

/** An expression of Postgres for so many characters that do not compress. */
function randomText(length: number): string {
  return `(select left(string_agg(md5(i::text), ''), ${length}) from generate_series(1, ${Math.ceil(length / 32)}) as i)`
}

/** Odd values of a type, or of arrays of it. */
export function oddValuesOf(type: string): readonly string[] {
  if (!type.endsWith('[]')) return oddValues[type] ?? unknownType(type)
  const element = type.slice(0, -2)
  const odd = oddValues[element] ?? unknownType(element)
  const cast = `::${type}`
  const plain = odd.at(1) ?? 'null'
  return [
    `null${cast}`,
    `'{}'${cast}`,
    `array[null]${cast}`,
    `array[null, null]${cast}`,
    `array[${plain}, null]${cast}`,
    `array[array[${plain}, ${plain}], array[${plain}, ${plain}]]${cast}`,
    `('[5:6]={null,null}')${cast}`,
    `('[-1:-1]={null}')${cast}`,
    `array_fill(${odd.at(-1)}, array[2], array[-3])${cast}`,
    `array_fill(${plain}, array[3000])${cast}`,
    ...odd.slice(1).map((value) => `array[${value}]${cast}`),
  ]
}

function unknownType(type: string): never {
  throw new Error(`there are no odd values of type ${type}; add some`)
}
