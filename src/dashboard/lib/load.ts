import type { ReadonlySignal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { type ApiError, api } from '../api.ts'
import { liveStatus, onChanges, whenFollowed } from '../live.ts'
import type { Changes } from './changes.ts'
import { asApiError } from './edit.ts'
import { type Query, toSearch } from './query.ts'

export interface LoadOptions {
  /** Loads again when this says so of what happened; true: whatever happened. */
  readonly when?: boolean | ((changes: Changes) => boolean)
  /** Loads again after so many milliseconds, while the page is visible. */
  readonly every?: number
  /** At least so long from one load to the next that events ask for. */
  readonly pace?: number
  /** What events asked for is loaded once this is no longer so. */
  readonly isHeld?: () => boolean
}

/** What was loaded last, kept while the next is under way: a page must not blink. */
export interface Loaded<T> {
  readonly data: ReadonlySignal<T | null>
  readonly error: ReadonlySignal<ApiError | null>
  readonly reload: () => void
}

/** Loads from the API, again when path or query change and when the options say so. Null: nothing. */
export function useLoad<T>(
  path: string | null,
  query: Query = {},
  options: LoadOptions = {},
): Loaded<T> {
  const data = useSignal<T | null>(null)
  const error = useSignal<ApiError | null>(null)
  const address = path === null ? null : path + toSearch(query)
  const latest = useRef(options)
  latest.current = options

  // While the page is drawn, not after: what is above the others is asked for first.
  const loader = useMemo(() => {
    if (address === null) return null
    const own = new Loader<T>(address, (given, problem) => {
      if (problem === null) data.value = given
      error.value = problem
    })
    const { when } = latest.current
    void (when === undefined ? Promise.resolve() : whenFollowed()).then(() => own.load())
    return own
  }, [address])

  useLayoutEffect(() => {
    if (loader === null) return undefined
    error.value = null
    const own = loader
    const stop = onChanges((changes) => {
      const { when = false, pace = 500 } = latest.current
      if (own.isNews(changes) && (when === true || (when !== false && when(changes))))
        own.loadSoon(pace, () => latest.current.isHeld?.())
    })
    // The server did not answer before; now it does again.
    const stopWaiting = liveStatus.subscribe((status) => {
      if (status === 'live' && error.peek()?.status === 0) own.load()
    })
    const timer = setInterval(
      () => document.hidden || error.peek()?.status === 403 || own.load(),
      latest.current.every ?? 2_000_000_000,
    )
    return () => {
      clearInterval(timer)
      stopWaiting()
      stop()
      own.stop()
    }
  }, [loader])

  return { data, error, reload: () => loader?.load() }
}

type Give<T> = (data: T | null, problem: ApiError | null) => void

/** One request at a time; what is asked for meanwhile is one more, afterwards. */
class Loader<T> {
  readonly #address: string
  readonly #give: Give<T>
  readonly #stopped = new AbortController()
  #isBusy: boolean = false
  #isWanted: boolean = false
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(address: string, give: Give<T>) {
    this.#address = address
    this.#give = give
  }

  /** Whether something happened that the last load does not show. */
  isNews(changes: Changes): boolean {
    return !changes.isKnownAt(this.#startedAt)
  }

  load(): void {
    if (this.#stopped.signal.aborted) return
    if (this.#isBusy) this.#isWanted = true
    else void this.#run()
  }

  loadSoon(
    pace: number,
    isHeld: () => boolean | undefined,
    wait = this.#startedAt + pace - performance.now(),
  ): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        if (isHeld()) this.loadSoon(pace, isHeld, pace)
        else this.load()
      },
      Math.max(wait, 0),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    this.#isBusy = true
    this.#startedAt = performance.now()
    try {
      const data = await api.get<T>(this.#address, {}, signal)
      if (!signal.aborted) this.#give(data, null)
    } catch (error) {
      if (!signal.aborted) this.#give(null, asApiError(error))
    }
    this.#isBusy = false
    if (this.#isWanted) {
      this.#isWanted = false
      this.load()
    }
  }
}
