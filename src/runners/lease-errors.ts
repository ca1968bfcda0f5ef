import { TuskError } from '../lib/errors.ts'

/** Whether an error means that this worker no longer holds the task. */
export function isLeaseLost(error: unknown): boolean {
  return (
    error instanceof TuskError && (error.code === 'lease_lost' || error.code === 'task_not_found')
  )
}

export function leaseLostError(id: string): TuskError {
  return new TuskError('lease_lost', `this worker no longer holds task ${id}`, {
    hint: 'Stop working on it: its lease ran out, or it was cancelled.',
  })
}
