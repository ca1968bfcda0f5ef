// @ts-check

/**
 * What heartbeat() takes after the worker's id: ids, claims and ids of what has started, as array literals; the lease;
 * and the state as JSON.
 * @typedef {readonly [string, string, string, number, string]} BeatValues
 *
 * @typedef {object} BeatAnswer
 * @property {string[] | null} lost
 * @property {boolean} draining
 *
 * @typedef {object} Connection
 * @property {(text: string, values: any[]) => Promise<{ rows: any[] }>} query
 */

/**
 * Says that a worker lives, with one statement for everything it holds. A worker that was forgotten makes itself known
 * again first. The thread and the main thread both say it: JavaScript, because the thread loads it.
 * @param {Connection} db
 * @param {{ readonly schema: string, readonly card: import('../../engine/working.ts').WorkerCard }} worker
 * @param {BeatValues} values
 * @param {() => void} onRegistered
 * @returns {Promise<BeatAnswer>}
 */
export async function sayBeat(db, { schema, card }, values, onRegistered) {
  // As text, because an application may have changed how the driver reads numbers.
  const text = `select lost::text[] as lost, draining
    from ${schema}.heartbeat($1, $2, $3, $4, $5::float8 * interval '1 millisecond', $6)`
  const given = [card.id, ...values]
  try {
    return (await db.query(text, given)).rows[0]
  } catch (error) {
    if (!isForgotten(error)) throw error
    const { id, queues, slots, host, pid, version, kinds, handlers } = card
    const { versionsFrom, versionsTo } = card
    const register = `select ${schema}.register_worker($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
    const runs = [kinds, handlers, versionsFrom, versionsTo]
    await db.query(register, [id, queues, slots, host, pid, version, ...runs])
    onRegistered()
    return (await db.query(text, given)).rows[0]
  }
}

/** @param {unknown} error */
function isForgotten(error) {
  return error instanceof Error && /is not registered/.test(error.message)
}
