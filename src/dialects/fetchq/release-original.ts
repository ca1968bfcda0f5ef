import type { ClientBase } from 'pg'
import { translate } from '../../db/queryable.ts'
import { type Target, withClient } from '../../db/with-client.ts'
import { TuskError } from '../../lib/errors.ts'
import { fetchq } from '../fetchq.ts'
import { readInstalledDialect } from '../list-dialects.ts'
import { keptSchemas } from './kept-schemas.ts'

/**
 * Undoes adoptFetchq(): Fetchq is there again, with its documents as they are now. The dialect is dropped, with
 * the tasks of its queues.
 */
export async function releaseFetchq(target: Target): Promise<void> {
  await withClient(target, async (client) => {
    const installed = await readInstalledDialect(client, fetchq.schema)
    if (installed?.name !== fetchq.name) {
      throw new TuskError(
        'invalid_argument',
        `the schema ${fetchq.schema} does not hold the dialect`,
        {
          hint: 'There is nothing to give back.',
        },
      )
    }
    try {
      await client.query('begin')
      await putBack(client)
      await client.query('commit')
    } catch (error) {
      // When this cannot be sent, the connection is gone and the transaction with it.
      await client.query('rollback').catch(() => undefined)
      throw translate(error)
    }
  })
}

async function putBack(client: ClientBase): Promise<void> {
  const { rows: queues } = await client.query<Returned>('select * from fetchq.give_back()')
  await client.query('select fetchq.destroy_with_terrible_consequences()')
  for (const { name, kept } of keptSchemas)
    await client.query(`alter schema ${kept} rename to ${name}`)
  for (const { queue, is_new, is_told } of queues) {
    if (is_new) await client.query('select fetchq.queue_create_indexes($1)', [queue])
    const notify = is_told ? 'queue_enable_notify' : 'queue_disable_notify'
    await client.query(`select fetchq.${notify}($1)`, [queue])
  }
}

interface Returned {
  readonly queue: string
  /** Made since the adoption, so the original has no indexes for it. */
  readonly is_new: boolean
  readonly is_told: boolean
}
