import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import type { Bulk } from '../../lib/operate.ts'

interface ChangeDialogProps {
  readonly what: string
  readonly onClose: () => void
  readonly onChange: (bulk: Omit<Bulk, 'filter'>) => void
}

/** Another time or another priority for many tasks. */
export function ChangeDialog({ what, onClose, onChange }: ChangeDialogProps): JSX.Element {
  const runAt = useSignal('')
  const priority = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    const changes = {
      ...(runAt.value === '' ? {} : { run_at: new Date(runAt.value).toISOString() }),
      ...(priority.value === '' ? {} : { priority: Number(priority.value) }),
    }
    if (Object.keys(changes).length > 0) onChange({ action: 'amend', changes })
  }
  return (
    <Dialog title={`Change ${what}`} onClose={onClose}>
      <form id="change" class="stack" onSubmit={submit}>
        <label class="field">
          <span>Run at, in your time zone</span>
          <input
            type="datetime-local"
            value={runAt.value}
            onInput={(event) => {
              runAt.value = event.currentTarget.value
            }}
          />
        </label>
        <label class="field">
          <span>Priority, higher first</span>
          <input
            type="number"
            step="1"
            value={priority.value}
            onInput={(event) => {
              priority.value = event.currentTarget.value
            }}
          />
        </label>
        <div class="dialog__foot">
          <Button onClick={onClose}>Keep things as they are</Button>
          <Button type="submit" look="primary">
            Change…
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
