import type { JSX } from 'preact'
import type { ApiError } from '../api.ts'
import { Button } from './button.tsx'

/** A request that failed, where its answer would have been; nothing if none did. */
export function ProblemNote({
  error,
  onRetry,
}: {
  readonly error: ApiError | null
  readonly onRetry?: () => void
}): JSX.Element | null {
  if (error === null) return null
  return (
    <div class="note note--bad" role="alert">
      <div>
        <p>{error.message}</p>
        {error.hint !== undefined && <p class="muted">{error.hint}</p>}
        {error.requestId !== undefined && <p class="muted">Request {error.requestId}</p>}
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}
