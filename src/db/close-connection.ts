import type pg from 'pg'
import { ServerClient } from './server-client.js'

/** Longer than a server takes that still hears; what a stop may lose to one that does not. */
const patienceMs = 1_000

/** Ends a connection in order. A server that went silent would keep it for ever: that one is cut after a moment. */
export async function closeConnection(client: pg.ClientBase): Promise<void> {
  const ended = (client as pg.Client).end()
  const patience = setTimeout(() => destroyConnection(client), patienceMs)
  await ended.catch(() => {})
  clearTimeout(patience)
}

/** What the driver keeps to itself. */
interface Inside {
  readonly _connecting?: boolean
  readonly connection?: { readonly stream?: { destroy(): void } }
}

/** Ends a connection at once: saying goodbye to a server that does not answer takes for ever. */
export function destroyConnection(client: pg.ClientBase): void {
  // It would go on to the next server of its list.
  if (client instanceof ServerClient) client.giveUp()
  const { _connecting: isConnecting, connection } = client as unknown as Inside
  // After end() nobody would ever tell the one who waits for connect().
  if (isConnecting !== true) void (client as pg.Client).end().catch(() => {})
  connection?.stream?.destroy()
}
