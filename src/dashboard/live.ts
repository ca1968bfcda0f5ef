import { computed, signal } from '@preact/signals'
import { ApiError } from './api.ts'
import { Changes, type LiveEvent } from './lib/changes.ts'
import { openStream } from './lib/stream.ts'

/**
 * What happens in the engine, as it happens.
 *
 *   connecting ──▶ live ──(cut)──▶ offline ──▶ connecting …
 *   paused (by hand) · hidden (the page is not visible): the stream is closed, its position kept
 *   denied (the token lacks the scope): nothing is requested until the user signs in again
 *
 * No event is skipped: every stream starts after the last event that was seen. After a long pause
 * the position is dropped instead, and pages load again: reading back an hour of events
 * would cost more than the page. A burst costs the same as a trickle: events are gathered into
 * bounded sets and handed out four times a second. Pages load when the stream is open, so that they
 * need not load again; if that takes long, they load before and again after.
 */

type Status = 'connecting' | 'live' | 'offline' | 'paused' | 'hidden' | 'denied'

type Listener = (changes: Changes) => void

const gatherMs = 250
const longPauseMs = 60_000
const longestWaitMs = 10_000
const patienceMs = 300
const lateMs = 1_000

const isPaused = signal(false)
const isHidden = signal(document.hidden)
const isConnected = signal(false)
const isDenied = signal(false)
const failures = signal(0)

export const liveStatus = computed<Status>(() => {
  if (isDenied.value) return 'denied'
  if (isPaused.value) return 'paused'
  if (isHidden.value) return 'hidden'
  if (isConnected.value) return 'live'
  return failures.value > 1 ? 'offline' : 'connecting'
})

const listeners = new Set<Listener>()
let isStarted = false
let position: string | null = null
let leftAt: number | null = null
let isLate = false
let gathered = new Changes()
let flushedAt = 0
let flushTimer: ReturnType<typeof setTimeout> | undefined
let stream: AbortController | null = null
let retryTimer: ReturnType<typeof setTimeout> | undefined

let endFirst = () => {}
const firstOver = new Promise<void>((resolve) => {
  endFirst = resolve
})

/** Resolves when what is loaded is followed from then on; a page that loads before would have to load twice. */
export function whenFollowed(): Promise<unknown> {
  if (liveStatus.peek() !== 'connecting') return Promise.resolve()
  return Promise.race([firstOver, new Promise((resolve) => setTimeout(resolve, patienceMs))])
}

/** Hears what changed, at most four times a second; call the answer to stop. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function setPaused(paused: boolean): void {
  isPaused.value = paused
  update()
}

export function togglePaused(): void {
  setPaused(!isPaused.peek())
}

/** Begins to follow, for the user who is signed in. */
export function startLive(): void {
  isStarted = true
  isDenied.value = false
  update()
}

/** Ends for good; the next viewer begins with what happens then. */
export function stopLive(): void {
  isStarted = false
  close()
  position = null
}

document.addEventListener('visibilitychange', () => {
  isHidden.value = document.hidden
  update()
})
window.addEventListener('online', update)

/** Opens or closes the stream, as what people do asks for. */
function update(): void {
  const isWanted = isStarted && !isDenied.peek() && !isPaused.peek() && !isHidden.peek()
  if (!isWanted) {
    if (stream !== null || retryTimer !== undefined) leftAt = Date.now()
    close()
    return
  }
  if (stream !== null) return
  if (leftAt !== null && Date.now() - leftAt > longPauseMs) startAnew()
  leftAt = null
  void connect()
}

function close(): void {
  clearTimeout(retryTimer)
  retryTimer = undefined
  stream?.abort()
  stream = null
  isConnected.value = false
}

function startAnew(): void {
  position = null
  missAll()
}

function missAll(until?: number): void {
  gathered.addEverything(until)
  flushSoon()
}

/** While nothing is followed, nothing is loaded: then it is when the stream is open again. */
function missLate(): void {
  isLate = stream === null
  if (!isLate) missAll()
}

async function connect(): Promise<void> {
  clearTimeout(retryTimer)
  retryTimer = undefined
  const own = new AbortController()
  stream = own
  let mayNot = false
  try {
    await openStream({
      after: position,
      signal: own.signal,
      onOpen,
      onEvents,
      onReset: startAnew,
      onFirst: () => setTimeout(missLate, lateMs),
    })
  } catch (error) {
    // Why else it ended makes no difference: it is opened again, and the button tells that it is cut.
    mayNot = error instanceof ApiError && error.code === 'missing_scope'
  }
  endFirst()
  if (own.signal.aborted) return
  stream = null
  isConnected.value = false
  isDenied.value = mayNot
  if (mayNot) return
  failures.value += 1
  const wait = Math.min(250 * 2 ** failures.peek(), longestWaitMs) * (0.75 + Math.random() / 2)
  retryTimer = setTimeout(() => void connect(), wait)
}

function onOpen(): void {
  failures.value = 0
  isConnected.value = true
  // Without a position there is nothing to go on from: what came before this stream was missed.
  if (position === null || isLate) missAll(performance.now())
  isLate = false
  endFirst()
}

function onEvents(events: readonly LiveEvent[], id: string | null): void {
  if (id !== null) position = id
  if (events.length === 0) return
  gathered.add(events)
  flushSoon()
}

/** At once after a rest: the server has gathered already. */
function flushSoon(): void {
  if (flushTimer !== undefined) return
  const wait = Math.max(flushedAt + gatherMs - performance.now(), 0)
  flushTimer = setTimeout(() => {
    flushTimer = undefined
    flushedAt = performance.now()
    const changes = gathered
    gathered = new Changes()
    for (const listener of listeners) listener(changes)
  }, wait)
}
