import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, send } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { AreaField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { toast } from '../../components/toast.tsx'
import { sqlOf } from '../../lib/task-summary.ts'
import type { Json, Task } from '../../model.ts'

interface EditDialogProps {
  readonly task: Task
  /** Brings a task back that ended, changed; or changes one that waits. */
  readonly mode: 'retry' | 'edit'
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Changes what a task says before it runs (again). */
export function EditDialog({ task, mode, onClose, onDone }: EditDialogProps): JSX.Element {
  const draft = useDraft(task)
  const isRetry = mode === 'retry'
  const submit = async () => {
    await (isRetry ? retry(task, draft) : amend(task, draft))
    toast(`Task ${task.id} is ${isRetry ? 'queued again' : 'changed'}.`, { tone: 'good' })
    onClose()
    onDone()
  }
  const title = isRetry ? `Retry task ${task.id} with edits` : `Edit task ${task.id}`
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Form action={isRetry ? 'Retry' : 'Save'} onClose={onClose} onSubmit={submit}>
        <AreaField
          label={sqlOf(task) === null ? 'Payload, as JSON' : 'SQL'}
          rows={12}
          value={draft.text}
        />
        <TextField
          label={`Run at, in your time zone; empty for ${isRetry ? 'now' : 'as it is'}`}
          type="datetime-local"
          value={draft.runAt}
        />
        {!isRetry && (
          <TextField label="Priority, higher first" type="number" value={draft.priority} />
        )}
      </Form>
    </Dialog>
  )
}

interface Draft {
  readonly text: Signal<string>
  readonly priority: Signal<string>
  readonly runAt: Signal<string>
  /** What the task was when the dialog opened; a later change by others is refused, not overwritten. */
  readonly etag: Signal<string | null>
}

function useDraft(task: Task): Draft {
  const draft = {
    text: useSignal(sqlOf(task) ?? JSON.stringify(task.payload, null, 2)),
    priority: useSignal(String(task.priority)),
    runAt: useSignal(''),
    etag: useSignal<string | null>(null),
  }
  useEffect(() => {
    void send<Task>('GET', `/tasks/${task.id}`).then(
      ({ etag }) => {
        draft.etag.value = etag
      },
      () => {},
    )
  }, [])
  return draft
}

async function retry(task: Task, draft: Draft): Promise<void> {
  await api.post(`/tasks/${task.id}/retry`, { payload: payloadOf(task, draft), ...runAtOf(draft) })
}

async function amend(task: Task, draft: Draft): Promise<void> {
  const changes = {
    payload: payloadOf(task, draft),
    priority: Number(draft.priority.value),
    ...runAtOf(draft),
  }
  const { value: etag } = draft.etag
  const headers = etag === null ? {} : { 'if-match': etag }
  await api.patch(`/tasks/${task.id}`, changes, { headers })
}

function payloadOf(task: Task, { text }: Draft): Json {
  if (sqlOf(task) !== null) return { ...(task.payload as object), sql: text.value }
  return JSON.parse(text.value) as Json
}

function runAtOf({ runAt }: Draft): { run_at?: string } {
  return runAt.value === '' ? {} : { run_at: new Date(runAt.value).toISOString() }
}
