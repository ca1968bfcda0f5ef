import type pg from 'pg'

/** Longer than a server takes that still hears; what a stop may lose to one that does not. */
const patienceMs = 1_000

/** Ends a connection in order. A server that went silent would keep it for ever: that one is cut after a moment. */
export async function hangUp(client: pg.ClientBase): Promise<void> {
  const ended = (client as pg.Client).end()
  const patience = setTimeout(() => cutOff(client), patienceMs)
  await ended.catch(() => {})
  clearTimeout(patience)
}

/** Ends a connection at once: saying goodbye to a server that does not answer takes for ever. */
export function cutOff(client: pg.ClientBase): void {
  void (client as pg.Client).end().catch(() => {})
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}
