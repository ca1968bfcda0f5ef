import type pg from 'pg'
import { ServerClient } from './server-client.js'

/**
 * Longer than a responsive server needs to close, and the most time that closing may lose to one that does not respond.
 */
const patienceMs = 1_000

/**
 * Closes a connection. A server that does not respond would keep it open for ever, so the connection is cut after a
 * moment.
 */
export async function closeConnection(client: pg.ClientBase): Promise<void> {
  const ended = (client as pg.Client).end()
  const patience = setTimeout(() => destroyConnection(client), patienceMs)
  await ended.catch(() => {})
  clearTimeout(patience)
}

/** Private fields of the driver's client. */
interface Inside {
  readonly _connecting?: boolean
  readonly connection?: { readonly stream?: { destroy(): void } }
}

/** Cuts a connection at once. Closing it normally would wait for ever if the server does not answer. */
export function destroyConnection(client: pg.ClientBase): void {
  // Otherwise it would connect to the next server of its list.
  if (client instanceof ServerClient) client.giveUp()
  const { _connecting: isConnecting, connection } = client as unknown as Inside
  // After end(), a pending connect() would never settle.
  if (isConnecting !== true) void (client as pg.Client).end().catch(() => {})
  connection?.stream?.destroy()
}
