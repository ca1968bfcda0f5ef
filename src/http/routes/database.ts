import { databaseReport } from '../../doctor/database-report.ts'
import { cacheFor } from '../../lib/cache-for.ts'
import { withoutStatements } from '../answers/without-statements.ts'
import { allows } from '../gate/scopes.ts'
import type { HttpContext } from '../http-context.ts'
import type { Api } from '../routing/route.ts'
import { database } from '../schemas/database.ts'

/** The report takes dozens of statements; many who look at once share one. */
const forMs = 2_000

/** The database that the engine lives in. */
export function register(api: Api, { reads, tusk }: HttpContext): void {
  const report = cacheFor(forMs, () => databaseReport(reads, { schema: tusk.schema }))
  api.route(
    {
      method: 'get',
      path: '/database',
      scope: 'read',
      tag: 'Server',
      operationId: 'getDatabase',
      summary:
        'Show connections, locks, transactions, sizes and migrations, and what is wrong with them',
      description:
        'Read from catalogs and statistics; counts nothing. At most two seconds old. The statements that sessions run are shown with the scope operate only.',
      responses: { 200: { description: 'The state of the database', body: database } },
    },
    async ({ caller }) => {
      const all = await report()
      const maySeeAll = allows(caller.scopes, 'operate')
      const { warnings, ...seen } = maySeeAll ? all : withoutStatements(all)
      const wrong = warnings.flatMap((one) => {
        const { level } = one
        return level === 'ok' ? [] : [{ ...one, level, details: one.details as unknown }]
      })
      return { status: 200, body: { ...seen, warnings: wrong } }
    },
  )
}
