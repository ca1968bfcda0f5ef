import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { count } from '../../lib/format.ts'
import { cancelOperation, running } from '../../lib/operate.ts'

/** How far an action on many tasks has come, and the way to stop it. */
export function OperationProgress(): JSX.Element | null {
  const operation = running.value
  if (operation === null) return null
  const { done, refused, matched } = operation
  const handled = done + refused
  return (
    <span class="progress" role="status">
      <progress
        aria-label={`${operation.action}: progress`}
        {...(matched === null ? {} : { value: handled, max: Math.max(matched, handled, 1) })}
      />
      {count(handled)}
      {matched !== null && ` of ${count(matched)}`}
      <Button look="quiet" onClick={() => void cancelOperation(operation.id)}>
        Stop
      </Button>
    </span>
  )
}
