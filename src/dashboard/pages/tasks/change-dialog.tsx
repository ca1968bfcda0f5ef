import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { givenMoment } from '../../lib/moment.ts'
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
  const changes = () => ({
    ...givenMoment('run_at', runAt.value),
    ...(priority.value === '' ? {} : { priority: Number(priority.value) }),
  })
  return (
    <Dialog title={`Change ${what}`} onClose={onClose}>
      <Form
        action="Change…"
        disabled={runAt.value === '' && priority.value === ''}
        onClose={onClose}
        onSubmit={() => onChange({ action: 'amend', changes: changes() })}
      >
        <TextField label="Run at, in your time zone" type="datetime-local" value={runAt} />
        <TextField label="Priority, higher first" type="number" value={priority} />
      </Form>
    </Dialog>
  )
}
