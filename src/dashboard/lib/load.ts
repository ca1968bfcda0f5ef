import type { ReadonlySignal } from '@preact/signals'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, api } from '../api.ts'
import { liveStatus, onChanges } from '../live.ts'
import type { Changes } from './changes.ts'
import { type Query, toSearch } from './query.ts'

export interface LoadOptions {
  /** Loads again when this says so of what happened; true: whatever happened. */
  readonly when?: boolean | ((changes: Changes) => boolean)
  /** Loads again after so many milliseconds, while somebody looks. */
  readonly every?: number
  /** At least so long from one load to the next that events ask for. */
  readonly pace?: number
  /** Nothing that events asked for is loaded while this is so. */
  readonly isHeld?: () => boolean
}

/** What was loaded last, kept while the next is under way: a page must not blink. */
export interface Loaded<T> {
  readonly data: ReadonlySignal<T | null>
  readonly error: ReadonlySignal<ApiError | null>
  readonly isLoading: ReadonlySignal<boolean>
  readonly reload: () => void
}

/** Loads from the API, again when path or query change and when the options say so. Null: nothing. */
export function useLoad<T>(
  path: string | null,
  query: Query = {},
  options: LoadOptions = {},
): Loaded<T> {
  const state = useSignal<{ readonly of: string; readonly data: T } | null>(null)
  const error = useSignal<ApiError | null>(null)
  const isLoading = useSignal(path !== null)
  const address = path === null ? null : path + toSearch(query)
  const loader = useRef<Loader<T> | null>(null)
  const latest = useRef(options)
  latest.current = options

  useEffect(() => {
    if (address === null) return undefined
    error.value = null
    const own = new Loader<T>(address, {
      give: (data) => {
        state.value = { of: address, data }
        error.value = null
      },
      fail: (problem) => {
        error.value = problem
      },
      busy: (busy) => {
        isLoading.value = busy
      },
    })
    loader.current = own
    own.load()
    const stop = onChanges((changes) => {
      const { when = false, pace = 500 } = latest.current
      if (when === true || (when !== false && when(changes)))
        own.loadSoon(pace, () => latest.current.isHeld?.())
    })
    // Nobody answered before; now somebody does again.
    const stopWaiting = liveStatus.subscribe((status) => {
      if (status === 'live' && error.peek()?.status === 0) own.load()
    })
    const timer = setInterval(
      () => document.hidden || own.load(),
      latest.current.every ?? 2_000_000_000,
    )
    return () => {
      clearInterval(timer)
      stopWaiting()
      stop()
      own.stop()
    }
  }, [address])

  const data = useComputed(() => state.value?.data ?? null)
  return { data, error, isLoading, reload: () => loader.current?.load() }
}

interface LoaderTarget<T> {
  readonly give: (data: T) => void
  readonly fail: (problem: ApiError) => void
  readonly busy: (busy: boolean) => void
}

/** One request at a time; what is asked for meanwhile is one more, afterwards. */
class Loader<T> {
  readonly #address: string
  readonly #target: LoaderTarget<T>
  readonly #stopped = new AbortController()
  #isBusy: boolean = false
  #isWanted: boolean = false
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(address: string, target: LoaderTarget<T>) {
    this.#address = address
    this.#target = target
  }

  load(): void {
    if (this.#stopped.signal.aborted) return
    if (this.#isBusy) this.#isWanted = true
    else void this.#run()
  }

  loadSoon(pace: number, isHeld: () => boolean | undefined): void {
    const wait = this.#startedAt + pace - performance.now()
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        if (!isHeld()) this.load()
      },
      Math.max(wait, 0),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    this.#startedAt = performance.now()
    this.#target.busy(true)
    try {
      const data = await api.get<T>(this.#address, {}, this.#stopped.signal)
      if (!this.#stopped.signal.aborted) this.#target.give(data)
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      this.#target.fail(error instanceof ApiError ? error : new ApiError({ detail: String(error) }))
    } finally {
      this.#isBusy = false
      if (!this.#stopped.signal.aborted) this.#target.busy(false)
      if (this.#isWanted) {
        this.#isWanted = false
        this.load()
      }
    }
  }
}
