/** A statement as the parser sees it: its kind, and what it has. */
export type Node = Readonly<Record<string, unknown>>

/** The parser's names that are not what people write. */
const words: Readonly<Record<string, string>> = {
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

/** What a statement is, in the word that people begin it with. */
export function kindOf(node: Node): string {
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

function isAnalyze(node: Node): boolean {
  return (node['VacuumStmt'] as Node)['is_vacuumcmd'] !== true
}

/** `TRANS_STMT_ROLLBACK_TO` is "rollback to". */
function transactionWord(node: Node): string {
  const { kind } = node['TransactionStmt'] as { readonly kind?: string }
  return String(kind ?? 'TRANS_STMT_BEGIN')
    .replace('TRANS_STMT_', '')
    .replaceAll('_', ' ')
    .toLowerCase()
}
