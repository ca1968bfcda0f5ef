import pg from 'pg'
import { hasOwnSession, processToldTo } from '../../../db/own-session.ts'
import {
  inTryingOrder,
  roleFault,
  type ServerRole,
  type SessionAttributes,
} from '../../../db/session-attributes.js'
import {
  ConnectionError,
  describeServer,
  toConnectionError,
} from '../connections/connection-error.ts'
import type { Place } from '../connections/places.ts'
import { exceedingRights } from './exceeding-rights.ts'
import { Session } from './session.ts'

/** Opens a session at the first server that answers and has the required role. */
export async function openSession(places: readonly Place[]): Promise<Session> {
  let refusal = new ConnectionError('no host was given', { fault: 'connection_failed' })
  for (const { server, wants } of inTryingOrder(places, places[0]?.wants ?? 'any')) {
    try {
      return await openAt({ ...server, wants })
    } catch (error) {
      refusal = toConnectionError(server.config, error)
    }
  }
  throw refusal
}

async function openAt({ config, prefersTls, wants, onlyAs }: Place): Promise<Session> {
  const session = await Session.open(config).catch((error: unknown) => {
    if (prefersTls && isWithoutTls(error)) return Session.open({ ...config, ssl: false })
    throw error
  })
  const fault = await faultOf(session, wants)
  if (fault === undefined) return onlyAs === undefined ? session : requireNarrow(session, onlyAs)
  session.close()
  throw new ConnectionError(`${describeServer(config)} failed: ${fault}`, {
    fault: 'connection_failed',
  })
}

async function requireNarrow(session: Session, role: string): Promise<Session> {
  try {
    const excess = await exceedingRights(session, role)
    if (excess === undefined) return session
    throw new ConnectionError(excess, {
      fault: 'connection_not_allowed',
      hint: 'Let the login be the role itself, or a member of that role and of no other.',
    })
  } catch (error) {
    session.close()
    throw error
  }
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && /does not support SSL/.test(error.message)
}

async function faultOf(session: Session, wants: SessionAttributes): Promise<string | undefined> {
  try {
    return (
      (await sharedBy(session)) ?? (wants === 'any' ? undefined : await notWanted(session, wants))
    )
  } catch (error) {
    session.close()
    throw error
  }
}

/**
 * What stands between the worker and the server, if anything. Through a pooler, a task's settings, above all its role,
 * would pass to the next client of the connection.
 */
async function sharedBy({ client, config, pid }: Session): Promise<string | undefined> {
  if (pid === processToldTo(client)) return undefined
  const newClient = () => new pg.Client({ ...config, query_timeout: undefined })
  return (await hasOwnSession(client, newClient))
    ? undefined
    : 'a pooler in transaction mode is in between; SQL tasks need the server itself'
}

async function notWanted(session: Session, wants: SessionAttributes): Promise<string | undefined> {
  const { rows } = await session.client.query<ServerRole>(
    `select pg_catalog.pg_is_in_recovery() as "isStandby",
            pg_catalog.current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  )
  return rows[0] && roleFault(wants, rows[0])
}
