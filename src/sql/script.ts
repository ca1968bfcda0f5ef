import { kindOf, type Node } from './statement-kind.ts'

/** One statement of a text: where it begins in it, counted in characters as Postgres counts, and whether it can share. */
export interface Statement {
  readonly text: string
  readonly offset: number
  /** `select`, `create table`, …; nothing where it cannot be read. */
  readonly kind: string
}

/**
 * How a text has to be sent.
 * - `block`: all of it may run in one transaction, which can also complete the task;
 * - `whole`: it has transaction commands of its own, or cannot be read: sent as it is, in one message;
 * - `singly`: some of it may not run in a transaction block: sent statement by statement.
 */
export interface Script {
  readonly way: 'block' | 'whole' | 'singly'
  readonly statements: readonly Statement[]
}

export interface Parsed {
  readonly stmts?: readonly {
    readonly stmt?: Node
    readonly stmt_location?: number
    readonly stmt_len?: number
  }[]
}

export type Parse = (text: string) => Parsed

/** Postgres's own parser, loaded when the first worker that runs SQL asks for it. */
export async function loadParser(): Promise<Parse> {
  const { loadModule, parseSync } = await import('libpg-query')
  await loadModule()
  return (text) => parseSync(text) as Parsed
}

const remembered = 500
const longestRemembered = 10_000

/** Reads texts, and remembers the last few hundred: tasks tend to say the same things. */
export class ScriptReader {
  readonly #parse: Parse
  readonly #known = new Map<string, Script>()

  constructor(parse: Parse) {
    this.#parse = parse
  }

  read(text: string): Script {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const script = readScript(this.#parse, text)
    if (text.length <= longestRemembered) {
      if (this.#known.size >= remembered) this.#known.clear()
      this.#known.set(text, script)
    }
    return script
  }
}

function readScript(parse: Parse, text: string): Script {
  const whole = { way: 'whole', statements: [{ text, offset: 0, kind: '' }] } as const
  if (text.trim() === '') return { way: 'block', statements: [] }
  let parsed: Parsed
  try {
    parsed = parse(text)
  } catch {
    // The server's own error is the answer, and a newer server may well read it.
    return whole
  }
  const nodes = (parsed.stmts ?? []).map(({ stmt }) => stmt ?? {})
  if (nodes.some(runsAlone)) return { way: 'singly', statements: slice(text, parsed) }
  if (nodes.some(isTransactionCommand)) return whole
  return { way: 'block', statements: slice(text, parsed) }
}

/** The statements one by one. The parser counts bytes; each is counted once, however many there are. */
export function slice(text: string, { stmts = [] }: Parsed): Statement[] {
  const bytes = Buffer.from(text)
  let counted = 0
  let offset = 0
  return stmts.map(({ stmt = {}, stmt_location: from = 0, stmt_len: length }) => {
    offset += charactersIn(bytes.subarray(counted, from).toString())
    counted = from
    const statement = bytes.subarray(from, length ? from + length : undefined)
    return { text: statement.toString(), offset, kind: kindOf(stmt) }
  })
}

/** As Postgres counts them: by code points. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
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

/** Whether the server would refuse it in a block. What is missing here is found out by its refusal. */
export function runsAlone(node: Node): boolean {
  const [kind = '', fields = {}] = (Object.entries(node)[0] ?? []) as [string?, Node?]
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

/** BEGIN and its kin, and settings of the transaction: they would meddle with one of ours. */
function isTransactionCommand(node: Node): boolean {
  if ('TransactionStmt' in node) return true
  const set = node['VariableSetStmt'] as { readonly name?: string } | undefined
  return /^(transaction|session characteristics)/i.test(set?.name ?? '')
}
