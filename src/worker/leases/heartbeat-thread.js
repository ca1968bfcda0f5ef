// @ts-check

/**
 * The thread that keeps a worker's leases, whatever its handlers do to the event loop.
 *
 * Before each beat it asks the main thread what it holds. The answer is also the main thread's pulse:
 * while none comes, the loop is blocked, and the thread goes on renewing what it knows of. After
 * `maxBlockMs` without a pulse it renews nothing more, so that others may take over, and says so in
 * the worker's state. It never decides anything else: what was lost is reported to the main thread.
 *
 * JavaScript, because a thread starts from a file that Node must be able to read, from src/ as well
 * as from dist/.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { ServerClient } from '../../db/server-client.js'

/**
 * @typedef {import('./heartbeat.ts').ThreadData} ThreadData
 * @typedef {import('./heartbeat.ts').ToThread} ToThread
 * @typedef {import('./heartbeat.ts').FromThread} FromThread
 * @typedef {import('./held-tasks.ts').HeldTasksSnapshot} HeldTasksSnapshot
 */

const data = /** @type {ThreadData} */ (workerData)
/** Beats that are asked for out of turn are at least so far apart. */
const soonestMs = 200
/** How long the main thread may take to answer before it counts as blocked. */
const answerWithinMs = 250

/** @type {HeldTasksSnapshot} */
const nothing = { ids: '', claims: '', started: '', claimIds: [], running: 0, buffered: 0 }

let config = data.config
let known = nothing
/** @type {import('./heartbeat.ts').ClaimedIds[]} */
let claimedSince = []
let pulseMs = monotonicMs()
let nextBeatMs = 0
let lastBeatMs = 0
/** Asked for while one was under way. */
let isWantedSoon = false
let failures = 0
let isStopping = false
/** @type {ServerClient | undefined} */
let client
/** @type {NodeJS.Timeout | undefined} */
let timer
/** @type {Promise<void> | undefined} */
let beating
/** @type {(() => void) | undefined} */
let answered

function monotonicMs() {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}

/** @param {FromThread} message */
function tell(message) {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (/** @type {ToThread} */ message) => {
  pulseMs = monotonicMs()
  switch (message.kind) {
    case 'held':
      known = message.held
      claimedSince = []
      answered?.()
      break
    case 'claimed':
      claimedSince.push(...message.claims)
      if (nextBeatMs > monotonicMs() + data.beatMs) schedule(data.beatMs)
      break
    case 'soon':
      beatSoon()
      break
    case 'config':
      config = message.config
      break
    case 'stop':
      void stop()
      break
  }
})

/** Resolves when the main thread has answered, or has had its time. */
function ask() {
  return new Promise((resolve) => {
    const silence = setTimeout(resolve, answerWithinMs)
    answered = () => {
      clearTimeout(silence)
      resolve(undefined)
    }
    tell({ kind: 'ask' })
  })
}

/** A message says that there is news; the database is asked, but not more often than is cheap. */
function beatSoon() {
  if (beating !== undefined) {
    isWantedSoon = true
    return
  }
  const dueMs = Math.max(lastBeatMs + soonestMs, monotonicMs())
  if (dueMs < nextBeatMs) schedule(dueMs - monotonicMs())
}

/** @param {number} delayMs */
function schedule(delayMs) {
  clearTimeout(timer)
  if (isStopping) return
  nextBeatMs = monotonicMs() + delayMs
  timer = setTimeout(() => {
    isWantedSoon = false
    beating = beat().finally(() => {
      beating = undefined
      if (isWantedSoon) beatSoon()
    })
  }, delayMs)
}

async function beat() {
  await ask()
  if (isStopping) return
  const blockedMs = blockedFor()
  const held = blockedMs > data.maxBlockMs ? nothing : heldNow()
  const sentAtMs = monotonicMs()
  lastBeatMs = sentAtMs
  try {
    const { lost, draining } = await send(held, blockedMs)
    failures = 0
    tell({
      kind: 'beat',
      claimIds: held.claimIds,
      sentAtMs,
      lost: named(lost, held),
      draining,
      blockedMs,
    })
    schedule((held.claimIds.length > 0 ? data.beatMs : data.idleMs) * (0.9 + Math.random() / 10))
  } catch (error) {
    letGo()
    const reason = error instanceof Error ? error.message : String(error)
    tell({ kind: 'failed', reason })
    const pauseMs = Math.min(50 * 2 ** failures, 2_000) * (0.5 + Math.random() / 2)
    failures += 1
    schedule(pauseMs)
  }
}

/**
 * With the claims they were held under: meanwhile a task may have been claimed anew.
 * @param {string[] | null} lost
 * @param {HeldTasksSnapshot} held
 */
function named(lost, held) {
  if (lost === null || lost.length === 0) return []
  const ids = held.ids.split(',')
  const claims = held.claims.split(',')
  return lost.map((id) => ({ id, claim: claims[ids.indexOf(id)] ?? '' }))
}

function blockedFor() {
  const silentMs = monotonicMs() - pulseMs
  return silentMs > answerWithinMs ? Math.round(silentMs) : 0
}

/** What the main thread said last, and what it has claimed since. */
function heldNow() {
  const more = claimedSince.map(({ claim, ids }) => ({
    claim,
    ids,
    claims: ids.split(',').fill(claim).join(','),
  }))
  return {
    ...known,
    ids: [known.ids, ...more.map(({ ids }) => ids)].filter(Boolean).join(','),
    claims: [known.claims, ...more.map(({ claims }) => claims)].filter(Boolean).join(','),
    claimIds: [...known.claimIds, ...more.map(({ claim }) => claim)],
  }
}

/**
 * One statement for everything. A worker that was forgotten makes itself known again first.
 * @param {HeldTasksSnapshot} held
 * @param {number} blockedMs
 * @returns {Promise<{ lost: string[] | null, draining: boolean }>}
 */
async function send(held, blockedMs) {
  const text = `select lost, draining
    from ${data.schema}.heartbeat($1, $2, $3, $4, $5::float8 * interval '1 millisecond', $6)`
  const { running, buffered } = held
  const values = [
    data.card.id,
    `{${held.ids}}`,
    `{${held.claims}}`,
    `{${held.started}}`,
    data.leaseMs,
    JSON.stringify({ running, buffered, ...(blockedMs > 0 ? { blocked_ms: blockedMs } : {}) }),
  ]
  const db = await connected()
  try {
    return (await db.query(text, values)).rows[0]
  } catch (error) {
    if (!isForgotten(error)) throw error
    const { id, queues, slots, host, pid, version, kinds, handlers } = data.card
    const { versionsFrom, versionsTo } = data.card
    const register = `select ${data.schema}.register_worker($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
    const runs = [kinds, handlers, versionsFrom, versionsTo]
    await db.query(register, [id, queues, slots, host, pid, version, ...runs])
    tell({ kind: 'registered' })
    return (await db.query(text, values)).rows[0]
  }
}

/** @param {unknown} error */
function isForgotten(error) {
  return error instanceof Error && /is not registered/.test(error.message)
}

async function connected() {
  if (client !== undefined) return client
  const { approved, ...settings } = config
  if (approved !== undefined) settings.ssl = trusting(approved, settings.ssl)
  const fresh = new ServerClient({ ...settings, query_timeout: data.answerWithinMs })
  fresh.on('error', () => client === fresh && letGo())
  await fresh.connect()
  client = fresh
  return fresh
}

/**
 * @param {readonly string[]} approved
 * @param {import('../connections/connection-config.ts').ConfigAsData['ssl']} ssl
 */
function trusting(approved, ssl) {
  /** @type {import('node:tls').ConnectionOptions['checkServerIdentity']} */
  const checkServerIdentity = (_, { fingerprint256 }) =>
    approved.includes(fingerprint256) ? undefined : new Error('a certificate not seen before')
  return { ...(typeof ssl === 'object' ? ssl : {}), checkServerIdentity }
}

function letGo() {
  const lost = client
  client = undefined
  void lost?.end().catch(() => {})
  // At once: a dead server never says goodbye.
  lost?.connection?.stream?.destroy()
}

async function stop() {
  isStopping = true
  clearTimeout(timer)
  answered?.()
  await beating
  await client?.end().catch(() => {})
  parentPort?.close()
}

schedule(data.beatMs)
