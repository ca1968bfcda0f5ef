import type pg from 'pg'

/** A node of a plan as auto_explain tells it. */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** One statement that ran inside a verb, with what its plan really did. */
export interface Statement {
  readonly text: string
  readonly nodes: readonly PlanNode[]
}

/** Makes a session tell the plans of all that runs in it, statements inside functions included. */
export async function tellPlans(client: pg.Client): Promise<void> {
  await client.query(`
    load 'auto_explain';
    set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on;
    set auto_explain.log_analyze = on;
    set auto_explain.log_timing = off;
    set auto_explain.log_format = json;
    set auto_explain.log_level = log;
    set client_min_messages = log`)
}

/** Runs something in a session that tells its plans; gives those of the statements that were run. */
export async function plansOf(
  client: pg.Client,
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const reported: string[] = []
  const listen = ({ message }: { message?: string | undefined }) => reported.push(message ?? '')
  client.on('notice', listen)
  await work()
  client.off('notice', listen)
  return reported.filter((message) => message.includes('"Plan"')).map(statement)
}

function statement(message: string): Statement {
  const reported = JSON.parse(message.slice(message.indexOf('{'))) as {
    'Query Text': string
    Plan: PlanNode
  }
  return { text: reported['Query Text'], nodes: flatten(reported.Plan) }
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}

/** Rows that a node took up in all, also those it threw away. */
export function rowsRead(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}

/** What must not be in the plan of a verb over large tables; `most` is what a batch may read. */
export function faultsIn(statements: readonly Statement[], most: number): string[] {
  const large = /^(tasks|finished|claims|attempts|keys|planned|rounds)/
  return statements.flatMap(({ text, nodes }) =>
    nodes.flatMap((node) => {
      const relation = node['Relation Name'] ?? ''
      const name = `${node['Node Type']} ${relation} ${node['Index Name'] ?? ''}`.trim()
      const where = text.trim().replaceAll(/\s+/g, ' ').slice(0, 120)
      if (node['Node Type'] === 'Seq Scan' && large.test(relation)) return [`${name} in ${where}`]
      if (rowsRead(node) > most) return [`${name} reads ${rowsRead(node)} rows in ${where}`]
      return []
    }),
  )
}
