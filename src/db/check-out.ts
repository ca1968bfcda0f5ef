import type pg from 'pg'
import { destroyConnection } from './close-connection.ts'

/**
 * Checks out a connection with an `error` listener attached. Uses the callback of connect(): between a promise and its
 * await, a loss would find no listener and crash the process.
 */
export function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) {
        reject(error)
        return
      }
      client.on('error', leaveToTheStatement)
      resolve(client)
    })
  })
}

export function giveBack(client: pg.PoolClient, isLost: boolean): void {
  // Called first: the pool would close it with a goodbye message, which a silent server never answers.
  if (isLost) destroyConnection(client)
  client.release(isLost)
  // A lost connection may emit one more error, so it keeps its listener.
  if (!isLost) client.off('error', leaveToTheStatement)
}

/** The running statement fails with the loss anyway. Without a listener the event would crash the process. */
function leaveToTheStatement(): void {}
