// @ts-check

/**
 * What Tusk has to know about a statement, read from the syntax tree of Postgres's parser.
 *
 * JavaScript, because the parser thread imports it, from src/ as well as from dist/. The trees can be a hundred times
 * as large as the text, and never leave that thread.
 */

/**
 * A node of the syntax tree: its kind, and its fields.
 * @typedef {Readonly<Record<string, unknown>>} Node
 */

/**
 * Node names of the parser that differ from the SQL command.
 * @type {Readonly<Record<string, string>>}
 */
const words = {
  CreateStmt: 'create table',
  CreateTableAsStmt: 'create table as',
  IndexStmt: 'create index',
  ViewStmt: 'create view',
  CreateFunctionStmt: 'create function',
  CreateSchemaStmt: 'create schema',
  CreatedbStmt: 'create database',
  DropdbStmt: 'drop database',
  RenameStmt: 'alter',
  VariableSetStmt: 'set',
  VariableShowStmt: 'show',
  DeclareCursorStmt: 'declare cursor',
  RefreshMatViewStmt: 'refresh materialized view',
}

/**
 * The kind of a statement: the words that its SQL command begins with.
 * @param {Node} node
 * @returns {string}
 */
export function kindOf(node) {
  const [kind = ''] = Object.keys(node)
  const known = words[kind]
  if (known !== undefined) return known
  if (kind === 'VacuumStmt') return isAnalyze(node) ? 'analyze' : 'vacuum'
  if (kind === 'TransactionStmt') return transactionWord(node)
  return kind
    .replace(/Stmt$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}

/** @param {Node} node */
function isAnalyze(node) {
  return /** @type {Node} */ (node['VacuumStmt'])['is_vacuumcmd'] !== true
}

/**
 * `TRANS_STMT_ROLLBACK_TO` is "rollback to".
 * @param {Node} node
 */
function transactionWord(node) {
  const { kind } = /** @type {{ readonly kind?: string }} */ (node['TransactionStmt'])
  return String(kind ?? 'TRANS_STMT_BEGIN')
    .replace('TRANS_STMT_', '')
    .replaceAll('_', ' ')
    .toLowerCase()
}

/** Kinds of statement that never run in a transaction block. */
const alone = new Set([
  'CreatedbStmt',
  'DropdbStmt',
  'CreateTableSpaceStmt',
  'DropTableSpaceStmt',
  'AlterSystemStmt',
  'CreateSubscriptionStmt',
  'AlterSubscriptionStmt',
  'DropSubscriptionStmt',
])

/**
 * Whether the server would refuse it in a transaction block. Kinds that are missing here are found out by that refusal.
 * @param {Node} node
 * @returns {boolean}
 */
export function runsAlone(node) {
  const [kind = '', value = {}] = Object.entries(node)[0] ?? []
  const fields = /** @type {Node} */ (value)
  switch (kind) {
    case 'VacuumStmt':
      return fields['is_vacuumcmd'] === true
    case 'IndexStmt':
    case 'DropStmt':
      return fields['concurrent'] === true
    case 'ReindexStmt':
      return (
        JSON.stringify(fields).match(/"concurrently"|OBJECT_(SCHEMA|DATABASE|SYSTEM)"/) !== null
      )
    case 'AlterTableStmt':
      return JSON.stringify(fields['cmds'] ?? []).includes('"concurrent":true')
    case 'ClusterStmt':
      return fields['relation'] === undefined
    case 'DiscardStmt':
      return fields['target'] === 'DISCARD_ALL'
    default:
      return alone.has(kind)
  }
}

/**
 * BEGIN and related commands, and settings of the transaction: they would interfere with the runner's own transaction.
 * @param {Node} node
 * @returns {boolean}
 */
export function isTransactionCommand(node) {
  if ('TransactionStmt' in node) return true
  const set = /** @type {{ readonly name?: string } | undefined} */ (node['VariableSetStmt'])
  return /^(transaction|session characteristics)/i.test(set?.name ?? '')
}
