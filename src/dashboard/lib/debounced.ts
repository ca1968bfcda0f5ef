import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ApiError } from '../api.ts'
import { asApiError } from './edit.ts'

const restMs = 250
const nothing = { answer: null, error: null }

/** What was answered last, kept while the next is under way. */
export interface Asked<T> {
  readonly answer: T | null
  readonly error: ApiError | null
}

/** Asks anew a moment after what is asked for has changed; null asks nothing. */
export function useAsked<T>(question: string | null, ask: () => Promise<T>): Asked<T> {
  const asked = useSignal<Asked<T>>(nothing)
  useEffect(() => {
    if (question === null) {
      asked.value = { ...nothing }
      return undefined
    }
    let isOld = false
    // The first value was not typed, so it does not wait.
    const wait = asked.peek() === nothing ? 0 : restMs
    const timer = setTimeout(() => {
      ask().then(
        (answer) => {
          if (!isOld) asked.value = { answer, error: null }
        },
        (error: unknown) => {
          if (!isOld) asked.value = { answer: null, error: asApiError(error) }
        },
      )
    }, wait)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [question])
  return asked.value
}
