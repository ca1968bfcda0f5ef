import { listStatements } from '../../runners/sql/parser/list-statements.ts'
import { SqlParser } from '../../runners/sql/parser/sql-parser.ts'
import { onTheWire } from '../answers/on-the-wire.ts'
import { wholeList } from '../answers/page-of.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { listOf } from '../schemas/common.ts'
import { sqlConnection, sqlRole, sqlStatement, sqlText, statementList } from '../schemas/sql.ts'

const tag = 'SQL'

/** What SQL tasks may be, and what a text has in it. */
export function register(api: Api, context: HttpContext): void {
  parse(api, context)
  look(api, context)
}

/** How many texts of this door may wait for the parser: each may take it seconds. */
const maxWaiting = 20

function parse(api: Api, { closing }: HttpContext): void {
  const parser = new SqlParser({ maxWaiting })
  closing.addEventListener('abort', () => parser.close(), { once: true })
  api.route(
    {
      method: 'post',
      path: '/sql/parse',
      scope: 'read',
      tag,
      operationId: 'parseSql',
      summary:
        'Split a text of SQL into its statements, and run none. Lists the first 1,000, and stops after 5 seconds.',
      body: sqlText,
      responses: { 200: { description: 'The statements, in their order', body: statementList } },
    },
    async ({ body }) => ({ status: 200, body: await listStatements(parser, body.sql) }),
  )
}

function look(api: Api, { verbs, reads }: HttpContext): void {
  const common = { method: 'get', scope: 'read', tag } as const
  api.route(
    {
      ...common,
      path: '/sql/statements',
      operationId: 'listSqlStatements',
      summary: 'List the SQL statements that an admin registered',
      responses: { 200: { description: 'By name', body: listOf(sqlStatement) } },
    },
    async () =>
      wholeList((await verbs.sqlStatements(reads)).map((row) => onTheWire(sqlStatement, row))),
  )

  api.route(
    {
      ...common,
      path: '/sql/connections',
      operationId: 'listSqlConnections',
      summary: 'List the connections to other databases that an admin registered',
      responses: { 200: { description: 'By name', body: listOf(sqlConnection) } },
    },
    async () =>
      wholeList((await verbs.sqlConnections(reads)).map((row) => onTheWire(sqlConnection, row))),
  )

  api.route(
    {
      ...common,
      path: '/sql/roles',
      operationId: 'listSqlRoles',
      summary: 'List the roles that may send their own SQL, and the role it runs as',
      responses: { 200: { description: 'By submitter', body: listOf(sqlRole) } },
    },
    async () => wholeList((await verbs.sqlRoles(reads)).map((row) => onTheWire(sqlRole, row))),
  )
}
