import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { api } from '../../../api.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { AreaField, TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { toast } from '../../../components/toast.tsx'
import type { Json, Task } from '../../../model.ts'

/** Sends a signal to a task, which receives it now or when it waits for it. */
export function SignalDialog({
  task: { id },
  name: given,
  onClose,
}: {
  readonly task: Pick<Task, 'id'>
  readonly name: string
  readonly onClose: () => void
}): JSX.Element {
  const name = useSignal(given)
  const payload = useSignal('')
  const submit = async () => {
    await api.post(`/tasks/${id}/signals`, { name: name.value, payload: read(payload.value) })
    toast(`Signal ${name.value} is sent to task ${id}.`, { tone: 'good' })
    onClose()
  }
  return (
    <Dialog title={`Send a signal to task ${id}`} onClose={onClose}>
      <Form action="Send signal" onClose={onClose} onSubmit={submit}>
        <TextField label="Name" value={name} required autofocus={given === ''} />
        <AreaField
          label="Payload, as JSON"
          hint="Empty is null. The task keeps the signal until it receives it."
          value={payload}
        />
      </Form>
    </Dialog>
  )
}

function read(text: string): Json {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The payload is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
