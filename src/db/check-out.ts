import type pg from 'pg'
import { destroyConnection } from './close-connection.ts'

/**
 * Takes a connection from a pool, with an ear for its loss. By callback: between a promise and its await
 * the first news of a loss could arrive unheard, and end the process.
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
  // First: the pool would say goodbye in order, which a silent server never answers.
  if (isLost) destroyConnection(client)
  client.release(isLost)
  // One that was lost may still have a last word, which must find an ear.
  if (!isLost) client.off('error', leaveToTheStatement)
}

/** A loss fails the statement that is under way; unheard, the event would end the process too. */
function leaveToTheStatement(): void {}
