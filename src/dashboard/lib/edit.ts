import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, api, send } from '../api.ts'

/** A thing as it was read for an edit, with the tag that tells whether it still is. */
export interface Edited<T> {
  readonly data: T
  readonly etag: string | null
}

/** Reads a thing once, to be edited: what changes meanwhile must not overwrite what is being typed. */
export function useEdited<T>(path: string): {
  readonly edited: Edited<T> | null
  readonly error: ApiError | null
} {
  const edited = useSignal<Edited<T> | null>(null)
  const error = useSignal<ApiError | null>(null)
  useEffect(() => {
    let isGone = false
    send<T>('GET', path).then(
      (answer) => {
        if (!isGone) edited.value = answer
      },
      (problem: unknown) => {
        if (!isGone) error.value = asApiError(problem)
      },
    )
    return () => {
      isGone = true
    }
  }, [path])
  return { edited: edited.value, error: error.value }
}

/** Writes an edit unless the object has changed meanwhile; returns what is wrong, or null. */
export async function saveEdit(
  path: string,
  changes: unknown,
  etag: string | null,
): Promise<ApiError | null> {
  try {
    await api.patch(path, changes, etag === null ? {} : { headers: { 'if-match': etag } })
    return null
  } catch (error) {
    return asApiError(error)
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError({ detail: error instanceof Error ? error.message : String(error) })
}
