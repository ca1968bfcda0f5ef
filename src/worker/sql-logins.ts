import type pg from 'pg'
import { listServers } from '../db/servers.js'
import type { Place } from '../runners/sql/connections/places.ts'
import type { OwnTarget } from '../runners/sql/sql-runner.ts'
import { connectionConfig, type Database } from './connections/connection-config.ts'
import type { SqlOptions } from './sql-options.ts'

/**
 * Where SQL tasks of the engine's own database log in: with the login of their role, if it has one, else
 * with that of the sessions, else as the worker does. Only the last may complete tasks.
 */
export function ownTargets(
  { database: shared, logins = {} }: Pick<SqlOptions, 'database' | 'logins'>,
  database: Database,
): (role: string | undefined) => OwnTarget {
  const usual: OwnTarget = {
    key: '',
    name: undefined,
    completes: shared === undefined,
    places: async () => placesAt(connectionConfig(shared ?? database)),
  }
  const byRole = new Map(
    Object.entries(logins).map(([role, login]): [string, OwnTarget] => [
      role,
      {
        key: `login ${role}`,
        name: undefined,
        completes: false,
        places: async () =>
          placesAt(connectionConfig(login)).map((place) => ({ ...place, onlyAs: role })),
      },
    ]),
  )
  return (role) => byRole.get(role ?? '') ?? usual
}

/** How a server notices that the host of a worker is gone. */
const vanishing = [
  'client_connection_check_interval=1s',
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=3',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=15s',
]

/**
 * A backend whose worker died should notice it while a statement runs, and undo it. Servers on some
 * systems cannot, and poolers take no options: there it notices when the statement has ended.
 */
function placesAt(given: pg.ClientConfig): Place[] {
  const config = { ...given, application_name: 'tusk sql', query_timeout: undefined }
  const options = [config.options, ...vanishing.map((setting) => `-c ${setting}`)]
    .filter(Boolean)
    .join(' ')
  const { servers, wants } = listServers(config)
  return servers
    .flatMap((server) => [{ ...server, options }, server])
    .map((each) => ({ config: each, prefersTls: false, wants }))
}
