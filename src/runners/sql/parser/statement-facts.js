// @ts-check

/**
 * What Tusk wants to know of a statement, read from the tree of Postgres's parser.
 *
 * JavaScript, because the thread that parses imports it, from src/ as well as from dist/: the trees can
 * be a hundred times as large as the text and never leave that thread.
 */

/**
 * A statement as the parser sees it: its kind, and what it has.
 * @typedef {Readonly<Record<string, unknown>>} Node
 */

/**
 * The parser's names that are not what people write.
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
 * What a statement is, in the word that people begin it with.
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
 * Whether the server would refuse it in a block. What is missing here is found out by its refusal.
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
 * BEGIN and its kin, and settings of the transaction: they would meddle with one of ours.
 * @param {Node} node
 * @returns {boolean}
 */
export function isTransactionCommand(node) {
  if ('TransactionStmt' in node) return true
  const set = /** @type {{ readonly name?: string } | undefined} */ (node['VariableSetStmt'])
  return /^(transaction|session characteristics)/i.test(set?.name ?? '')
}
