import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type ApiError, api, send } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { AreaField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { toast } from '../../components/toast.tsx'
import { asApiError } from '../../lib/edit.ts'
import { layOut } from '../../lib/exact.ts'
import { givenMoment } from '../../lib/moment.ts'
import { sqlOf } from '../../lib/task-summary.ts'
import type { Task } from '../../model.ts'

interface EditDialogProps {
  readonly task: Task
  /** Brings a task back that ended, changed; or changes one that waits. */
  readonly mode: 'retry' | 'edit'
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The task as it is now, its payload with all digits, and the tag that tells whether it still is. */
interface Given {
  readonly task: Task
  readonly payload: string
  readonly etag: string | null
}

/** Changes what a task says before it runs (again). */
export function EditDialog(props: EditDialogProps): JSX.Element {
  const { task, mode, onClose } = props
  const given = useSignal<Given | null>(null)
  const error = useSignal<ApiError | null>(null)
  useEffect(() => {
    read(`/tasks/${task.id}`).then(
      (answer) => {
        given.value = answer
      },
      (problem: unknown) => {
        error.value = asApiError(problem)
      },
    )
  }, [])
  const title = mode === 'retry' ? `Retry task ${task.id} with edits` : `Edit task ${task.id}`
  return (
    <Dialog title={title} onClose={onClose} wide>
      <ProblemNote error={error.value} />
      {given.value !== null && <EditForm {...props} {...given.value} />}
    </Dialog>
  )
}

/** The tag first: a change between the two is refused, not overwritten. */
async function read(path: string): Promise<Given> {
  const { etag, data: task } = await send<Task>('GET', path)
  return { task, etag, payload: (await api.get<Given>(`${path}/texts`)).payload }
}

/** What the page shows may be older: saving must not restore old values. */
function EditForm(props: EditDialogProps & Given): JSX.Element {
  const { task, payload, etag, onClose, onDone } = props
  const isRetry = props.mode === 'retry'
  const sql = sqlOf(task)
  const before = sql ?? layOut(payload)
  const text = useSignal(before)
  const priority = useSignal(String(task.priority))
  const runAt = useSignal('')
  const submit = async () => {
    const path = `/tasks/${task.id}`
    const changes = {
      ...(text.value === before ? {} : { payload_text: payloadOf(payload, sql, text.value) }),
      ...givenMoment('run_at', runAt.value),
    }
    if (isRetry) await api.post(`${path}/retry`, changes)
    else
      await api.patch(
        path,
        { ...changes, priority: Number(priority.value) },
        { headers: { 'if-match': etag ?? '*' } },
      )
    toast(`Task ${task.id} is ${isRetry ? 'queued again' : 'changed'}.`, { tone: 'good' })
    onClose()
    onDone()
  }
  return (
    <Form action={isRetry ? 'Retry' : 'Save'} onClose={onClose} onSubmit={submit}>
      <AreaField label={sql === null ? 'Payload, as JSON' : 'SQL'} rows={12} value={text} />
      <TextField
        label={`Run at, in your time zone; empty for ${isRetry ? 'now' : 'as it is'}`}
        type="datetime-local"
        value={runAt}
      />
      {!isRetry && <TextField label="Priority, higher first" type="number" value={priority} />}
    </Form>
  )
}

/** Never read and written again, which would cost digits: of SQL its text alone is replaced. */
function payloadOf(payload: string, sql: string | null, text: string): string {
  if (sql === null) return text
  const named = (value: string) => `"sql": ${JSON.stringify(value)}`
  return payload.replace(named(sql), () => named(text))
}
