import type { Queryable } from '../../db/queryable.ts'
import { ownVersion } from '../../lib/version.ts'
import { schemaVersion } from '../answers/schema-version.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { info } from '../schemas/server.ts'

interface About {
  readonly version: string
  readonly is_standby: boolean
  readonly name: string
  readonly now: Date
}

/** What this server is, and what it stands on. */
export function register(api: Api, { reads, tusk, allowsSql }: HttpContext): void {
  const version = ownVersion()
  api.route(
    {
      method: 'get',
      path: '/info',
      scope: 'any',
      tag: 'Server',
      operationId: 'getInfo',
      summary: 'Show versions, the database and its clock',
      responses: { 200: { description: 'This server', body: info } },
    },
    async () => {
      const { now, ...database } = await about(reads)
      return {
        status: 200,
        body: {
          version,
          schema: tusk.schema,
          schema_version: await schemaVersion(reads, tusk.schema),
          database,
          sql_over_http: allowsSql,
          now,
        },
      }
    },
  )
}

async function about(db: Queryable): Promise<About> {
  const { rows } = await db.query<About>(
    `select current_setting('server_version') as version, pg_is_in_recovery() as is_standby,
            current_database()::text as name, clock_timestamp() as now`,
  )
  const [row] = rows
  if (row === undefined)
    throw new Error('the query for the version of the database returned no row')
  return row
}
