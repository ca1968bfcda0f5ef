import pg from 'pg'
import { hasOwnSession, processToldTo } from '../db/own-session.ts'
import { exceedingRights } from './exceeding-rights.ts'
import type { Place, SessionAttributes } from './places.ts'
import { Session } from './session.ts'
import { placeOf, Unreached, unreached } from './unreached.ts'

/** A session at the first server that answers and is what was wanted. */
export async function openSession(places: readonly Place[]): Promise<Session> {
  const orders = places.some(({ wants }) => wants === 'prefer-standby')
    ? [places.map((place) => ({ ...place, wants: 'standby' as const })), places.map(anyOf)]
    : [places]
  let refusal = new Unreached('no host was given', { fault: 'connection_failed' })
  for (const place of orders.flat()) {
    try {
      return await openAt(place)
    } catch (error) {
      refusal = unreached(place.config, error)
    }
  }
  throw refusal
}

function anyOf(place: Place): Place {
  return { ...place, wants: 'any' }
}

async function openAt({ config, prefersTls, wants, onlyAs }: Place): Promise<Session> {
  const session = await Session.open(config).catch((error: unknown) => {
    if (prefersTls && isWithoutTls(error)) return Session.open({ ...config, ssl: false })
    throw error
  })
  const fault = await faultOf(session, wants)
  if (fault === undefined) return onlyAs === undefined ? session : requireNarrow(session, onlyAs)
  session.close()
  throw new Unreached(`${placeOf(config)} failed: ${fault}`, { fault: 'connection_failed' })
}

async function requireNarrow(session: Session, role: string): Promise<Session> {
  try {
    const excess = await exceedingRights(session, role)
    if (excess === undefined) return session
    throw new Unreached(excess, {
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

/** What a task sets, its role above all, would be there for whoever is given the connection next. */
async function sharedBy({ client, config, pid }: Session): Promise<string | undefined> {
  if (pid === processToldTo(client)) return undefined
  const newClient = () => new pg.Client({ ...config, query_timeout: undefined })
  return (await hasOwnSession(client, newClient))
    ? undefined
    : 'a pooler in transaction mode is in between; SQL tasks need the server itself'
}

async function notWanted(session: Session, wants: SessionAttributes): Promise<string | undefined> {
  const { rows } = await session.client.query<{ standby: boolean; read_only: string }>(
    `select pg_catalog.pg_is_in_recovery() as standby,
            pg_catalog.current_setting('transaction_read_only') as read_only`,
  )
  const { standby, read_only } = rows[0] ?? { standby: false, read_only: 'off' }
  switch (wants) {
    case 'read-write':
      return read_only === 'on' ? 'session is read-only' : undefined
    case 'read-only':
      return read_only === 'off' ? 'session is not read-only' : undefined
    case 'primary':
      return standby ? 'server is in hot standby mode' : undefined
    case 'standby':
      return standby ? undefined : 'server is not in hot standby mode'
    case 'any':
    case 'prefer-standby':
      return undefined
  }
}
