import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { count } from '../../lib/format.ts'
import { cancelOperation, running } from '../../lib/operate.ts'

/** How far an action on many tasks has come, and the way to stop it. */
export function OperationProgress(): JSX.Element | null {
  const operation = running.value
  if (operation === null) return null
  const { done, refused, total, progress } = operation
  return (
    <span class="progress" role="status">
      <progress aria-label={`${operation.action}: progress`} value={progress} max={1} />
      {count(done + refused)}
      {total === null ? '' : ` of ${count(total)}`}
      <Button look="quiet" onClick={() => void cancelOperation(operation.id)}>
        Stop
      </Button>
    </span>
  )
}
