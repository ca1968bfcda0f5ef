import { type ParsedStatement, type SqlParser, Unreadable } from './sql-parser.ts'

/**
 * One statement of a text: where it begins, in characters as Postgres counts them, and whether it may run in a
 * transaction with others.
 */
export interface Statement {
  readonly text: string
  readonly offset: number
  /** `select`, `create table`, …; empty if the text cannot be parsed. */
  readonly kind: string
}

/**
 * How to send a text.
 * - `block`: all of it may run in one transaction, which can also complete the task;
 * - `whole`: it has transaction commands of its own, some of it may not run in a transaction block, or it cannot be
 *   parsed: sent unchanged in one message, which the server runs in one transaction as far as it can.
 */
export interface Script {
  readonly way: 'block' | 'whole'
  readonly statements: readonly Statement[]
}

const remembered = 500
const longestRemembered = 10_000

/** Parses texts, and caches the last few hundred, because tasks tend to repeat them. */
export class ScriptReader {
  readonly #parser: Pick<SqlParser, 'parse'>
  readonly #known = new Map<string, Script>()

  constructor(parser: Pick<SqlParser, 'parse'>) {
    this.#parser = parser
  }

  async read(text: string): Promise<Script> {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const script = await this.#readNew(text)
    if (text.length <= longestRemembered) {
      if (this.#known.size >= remembered) this.#known.clear()
      this.#known.set(text, script)
    }
    return script
  }

  async #readNew(text: string): Promise<Script> {
    if (text.trim() === '') return { way: 'block', statements: [] }
    try {
      return scriptOf(text, await this.#parser.parse(text))
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      // The server reports its own error, and a newer server may accept the text.
      return wholeOf(text)
    }
  }
}

function scriptOf(text: string, parsed: readonly ParsedStatement[]): Script {
  const isWhole = parsed.some((each) => each.runsAlone || each.isTransactionCommand)
  return { way: isWhole ? 'whole' : 'block', statements: slice(text, parsed) }
}

function wholeOf(text: string): Script {
  return { way: 'whole', statements: [{ text, offset: 0, kind: '' }] }
}

/**
 * Splits a text into statements. The parser counts bytes; each byte is visited once, however many statements there are.
 */
export function slice(text: string, parsed: readonly ParsedStatement[]): Statement[] {
  const bytes = Buffer.from(text)
  let counted = 0
  let offset = 0
  return parsed.map(({ from, length, kind }) => {
    offset += charactersIn(bytes.subarray(counted, from).toString())
    counted = from
    const statement = bytes.subarray(from, length > 0 ? from + length : undefined)
    return { text: statement.toString(), offset, kind }
  })
}

/** Counts characters like Postgres: by code points. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
