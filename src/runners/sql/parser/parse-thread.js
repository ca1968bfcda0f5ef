// @ts-check

/**
 * The thread in which Postgres's own parser runs. Some texts keep it busy for minutes, others exhaust its memory. The
 * main thread then terminates this one and starts another. See sql-parser.ts.
 *
 * JavaScript, because a thread starts from a file that Node must be able to read, from src/ as well as from dist/.
 */
import { parentPort } from 'node:worker_threads'
import { loadModule, parseSync } from 'libpg-query'
import { isTransactionCommand, kindOf, runsAlone } from './statement-facts.js'

/**
 * @typedef {import('./sql-parser.ts').FromThread} FromThread
 * @typedef {import('./sql-parser.ts').ParsedStatement} ParsedStatement
 * @typedef {{ stmt?: import('./statement-facts.js').Node, stmt_location?: number, stmt_len?: number }} RawStatement
 */

/** The parser's error message quotes the rest of the text. */
const longestMessage = 300

/** @param {FromThread} message */
function tell(message) {
  parentPort?.postMessage(message)
}

/**
 * @param {string} text
 * @returns {FromThread}
 */
function read(text) {
  try {
    const { stmts = [] } = /** @type {{ stmts?: RawStatement[] }} */ (parseSync(text))
    return { kind: 'parsed', statements: stmts.map(factsOf) }
  } catch (error) {
    const { message, sqlDetails } =
      /** @type {{ message?: string, sqlDetails?: { cursorPosition?: number } }} */ (error)
    const at = sqlDetails?.cursorPosition
    return {
      kind: 'unreadable',
      message: (message ?? 'it cannot be read').slice(0, longestMessage),
      position: at === undefined || at < 0 ? null : at + 1,
      // An error that is not about the text may have corrupted the parser's memory.
      isSpent: sqlDetails === undefined,
    }
  }
}

/**
 * @param {RawStatement} statement
 * @returns {ParsedStatement}
 */
function factsOf({ stmt = {}, stmt_location: from = 0, stmt_len: length = 0 }) {
  return {
    from,
    length,
    kind: kindOf(stmt),
    runsAlone: runsAlone(stmt),
    isTransactionCommand: isTransactionCommand(stmt),
  }
}

await loadModule()
parentPort?.on('message', (/** @type {string} */ text) => tell(read(text)))
tell({ kind: 'ready' })
