/** Converts a snake_case name of SQL to camelCase: `run_at` becomes `runAt`. */
type CamelName<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelName<Rest>>}`
  : Name

/** A row with its column names in camelCase. The values keep their types. */
export type CamelCase<Row> = { [Name in keyof Row as CamelName<Name>]: Row[Name] }

/** Rows of one query have the same columns, so each name is converted once. */
const camelNames = new Map<string, string>()

/**
 * Converts the column names of a row to camelCase, but nothing inside its values: a payload or an output stays as it
 * was stored.
 *
 * @example
 * ```ts
 * camelCase({ run_at: time, payload: { order_id: 7 } }) // { runAt: time, payload: { order_id: 7 } }
 * ```
 */
export function camelCase<Row extends object>(row: Row): CamelCase<Row> {
  const converted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) converted[camelName(name)] = value
  return converted as CamelCase<Row>
}

function camelName(name: string): string {
  let camel = camelNames.get(name)
  if (camel === undefined) {
    camel = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(name, camel)
  }
  return camel
}

/** The reverse, for settings and filters. Leaves out properties that are undefined. */
export function snakeCase(given: object): Record<string, unknown> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [snakeName(name), value]))
}

function snakeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
