import { computed, type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ApiError } from '../api.ts'
import { liveStatus } from '../live.ts'
import type { Json } from '../model.ts'
import { asApiError } from './edit.ts'
import { readMessages } from './messages.ts'
import type { Message } from './sse.ts'

/** A part of the stream of a task. */
export interface Chunk {
  readonly place: string
  readonly at: string
  readonly attempt: number
  readonly chunk: Json
}

interface Chunks {
  readonly list: ReadonlySignal<readonly Chunk[]>
  /** How many came before the first of the list, and are not kept. */
  readonly dropped: ReadonlySignal<number>
  readonly problem: ReadonlySignal<ApiError | null>
}

/** More than a reader follows, and what a page can hold. */
const mostChunks = 2_000
const gatherMs = 100
const shortestWaitMs = 250
const longestWaitMs = 10_000

const isStopped = computed(() => ['paused', 'hidden', 'denied'].includes(liveStatus.value))

/**
 * The stream of a task, until it has ended. It is closed while live updates are paused or the page is hidden, and goes on
 * behind the last chunk afterwards, as after a lost connection.
 */
export function useChunks(task: string, hasEnded: boolean): Chunks {
  const list = useSignal<readonly Chunk[]>([])
  const dropped = useSignal(0)
  const problem = useSignal<ApiError | null>(null)
  const place = useRef<string | null>(null)
  useEffect(() => {
    if (isStopped.value) return undefined
    const own = new AbortController()
    let fresh: Chunk[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      const all = [...list.peek(), ...fresh]
      fresh = []
      dropped.value += Math.max(all.length - mostChunks, 0)
      list.value = all.slice(-mostChunks)
    }
    const onMessage = ({ event, data, id }: Message) => {
      if (own.signal.aborted || event !== 'chunk') return event === 'end'
      place.current = id
      fresh.push(JSON.parse(data))
      timer ??= setTimeout(show, gatherMs)
      return false
    }
    const tell = (error: ApiError) => {
      problem.value = error
    }
    void follow({ task, place, onMessage, tell, signal: own.signal })
    return () => {
      own.abort()
      clearTimeout(timer)
      if (fresh.length > 0) show()
    }
  }, [task, hasEnded, isStopped.value])
  return { list, dropped, problem }
}

interface Following {
  readonly task: string
  readonly place: { readonly current: string | null }
  /** Whether it was the last. */
  readonly onMessage: (message: Message) => boolean
  readonly tell: (problem: ApiError) => void
  readonly signal: AbortSignal
}

/** Opens the stream again whenever it breaks, later each time, until the task has ended. */
async function follow(following: Following): Promise<void> {
  let wait = shortestWaitMs
  const onOpen = () => {
    wait = shortestWaitMs
  }
  while (!(await isOver(following, onOpen))) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, longestWaitMs)
  }
}

/** Reads the stream as long as it is open; whether it need not be opened again. */
async function isOver(following: Following, onOpen: () => void): Promise<boolean> {
  const { task, place, onMessage, tell, signal } = following
  let hasEnded = false
  try {
    await readMessages(`/tasks/${encodeURIComponent(task)}/stream`, {
      after: place.current,
      signal,
      onOpen,
      onMessage: (message) => {
        hasEnded = onMessage(message) || hasEnded
      },
    })
  } catch (error) {
    const problem = asApiError(error)
    // Without an answer it is tried again, and the sign of live updates shows that; a refusal stays one.
    const isRefused = problem.status >= 400 && problem.status < 500
    if (isRefused) tell(problem)
    return isRefused || signal.aborted
  }
  return hasEnded || signal.aborted
}
