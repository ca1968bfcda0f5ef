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
import { sayBeat } from './say-beat.js'

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
/** The next beat was asked for: there may be news. */
let isAsked = false
let failures = 0
let isStopping = false
/** What the last beat said: nothing is held. */
let wasNothing = false
/** The last attempt to connect failed. */
let isCutOff = false
let lastHeldMs = Number.NEGATIVE_INFINITY
/** Of what the main thread was asked to say. */
let lastNumber = 0
/** @type {((answer: import('./heartbeat.ts').Said) => void) | undefined} */
let said
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
    case 'said':
    case 'unsaid':
      said?.(message)
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
  isAsked = true
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
  if (!isNothing(held)) lastHeldMs = sentAtMs
  else if (isToldAlready(sentAtMs)) return schedule(lastBeatMs + data.idleMs - sentAtMs)
  isAsked = false
  lastBeatMs = sentAtMs
  try {
    const { lost, draining } = await send(held, blockedMs)
    failures = 0
    wasNothing = isNothing(held)
    closeIfIdle(sentAtMs)
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
 * What was claimed since the last beat has ended already, and there is no news to ask for.
 * @param {number} nowMs
 */
function isToldAlready(nowMs) {
  const isRecent = nowMs - lastBeatMs < 0.9 * data.idleMs
  return isRecent && wasNothing && !isAsked && failures === 0
}

/**
 * The connection is kept while tasks are held now and then.
 * @param {number} nowMs
 */
function closeIfIdle(nowMs) {
  if (client === undefined || data.keepsConnection || nowMs - lastHeldMs < data.idleMs) return
  const idle = client
  client = undefined
  void idle.end().catch(() => {})
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
 * On the thread's own connection, or by the main thread on one of its own that is free: an idle worker keeps no
 * connection for its heartbeat. If one of the two ways fails, the next beat takes the other; with tasks held, only if the
 * thread could not connect, since a statement that hangs would keep the main thread's connection from hearing messages.
 * @param {HeldTasksSnapshot} held
 * @param {number} blockedMs
 * @returns {Promise<import('./say-beat.js').BeatAnswer>}
 */
async function send(held, blockedMs) {
  const { running, buffered } = held
  /** @type {import('./say-beat.js').BeatValues} */
  const values = [
    `{${held.ids}}`,
    `{${held.claims}}`,
    `{${held.started}}`,
    data.leaseMs,
    JSON.stringify({ running, buffered, ...(blockedMs > 0 ? { blocked_ms: blockedMs } : {}) }),
  ]
  const mayAsk = blockedMs === 0 && client === undefined && !data.keepsConnection
  const isTurnOfMain = isNothing(held) ? failures % 2 === 0 : isCutOff
  isCutOff = false
  if (mayAsk && isTurnOfMain) return sayByMain(values)
  return sayBeat(await connected(), data, values, () => tell({ kind: 'registered' }))
}

/**
 * @param {import('./say-beat.js').BeatValues} values
 * @returns {Promise<import('./say-beat.js').BeatAnswer>}
 */
function sayByMain(values) {
  lastNumber += 1
  const number = lastNumber
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => reject(new Error('no answer')), data.answerWithinMs)
    said = (answer) => {
      if (answer.number !== number) return
      clearTimeout(silence)
      if (answer.kind === 'said') resolve(answer.answer)
      else reject(new Error(answer.reason))
    }
    tell({ kind: 'say', number, values })
  })
}

/** @param {HeldTasksSnapshot} held */
function isNothing({ claimIds, running, buffered }) {
  return claimIds.length === 0 && running === 0 && buffered === 0
}

async function connected() {
  if (client !== undefined) return client
  const { approved, ...settings } = config
  if (approved !== undefined) settings.ssl = trusting(approved, settings.ssl)
  const fresh = new ServerClient({ ...settings, query_timeout: data.answerWithinMs })
  fresh.on('error', () => client === fresh && letGo())
  try {
    await fresh.connect()
  } catch (error) {
    isCutOff = true
    throw error
  }
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
  said?.({ kind: 'unsaid', number: lastNumber, reason: 'the worker stops' })
  await beating
  await client?.end().catch(() => {})
  parentPort?.close()
}

schedule(data.beatMs)
