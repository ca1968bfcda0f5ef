/** The SQL of another system, spoken over the engine's verbs. */
export interface Dialect {
  /** Also the name of its folder in sql/dialects. */
  readonly name: string
  /** What it speaks, in a few words. */
  readonly about: string
  /** The schema it is installed into by default. */
  readonly schema: string
  readonly directory: string
  /** The function that makes its calls in the schema public too, where it cannot be installed itself. */
  readonly publish?: string
}

/** Which dialect goes where, and over which engine. */
export interface DialectPlace {
  readonly dialect: Dialect
  readonly schema: string
  readonly engineSchema: string
}
