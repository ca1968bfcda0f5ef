import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { ApiError, api, send } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemNote } from '../../components/problem.tsx'
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
  const problem = useSignal<ApiError | null>(null)
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    try {
      await (mode === 'retry' ? retry(task, draft) : amend(task, draft))
      toast(mode === 'retry' ? `Task ${task.id} is queued again.` : `Task ${task.id} is changed.`, {
        tone: 'good',
      })
      onClose()
      onDone()
    } catch (error) {
      problem.value = error instanceof ApiError ? error : new ApiError({ detail: messageOf(error) })
    } finally {
      isBusy.value = false
    }
  }
  const title = mode === 'retry' ? `Retry task ${task.id} with edits` : `Edit task ${task.id}`
  return (
    <Dialog title={title} onClose={onClose} wide>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {problem.value !== null && <ProblemNote error={problem.value} />}
        <DraftFields task={task} draft={draft} mode={mode} />
        <div class="dialog__foot">
          <Button onClick={onClose}>Keep things as they are</Button>
          <Button type="submit" look="primary" busy={isBusy.value}>
            {mode === 'retry' ? 'Retry' : 'Save'}
          </Button>
        </div>
      </form>
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

function DraftFields({
  task,
  draft,
  mode,
}: {
  readonly task: Task
  readonly draft: Draft
  readonly mode: 'retry' | 'edit'
}): JSX.Element {
  const into = (field: Signal<string>) => (event: { currentTarget: { value: string } }) => {
    field.value = event.currentTarget.value
  }
  return (
    <>
      <label class="field">
        <span>{sqlOf(task) === null ? 'Payload, as JSON' : 'SQL'}</span>
        <textarea
          rows={12}
          spellcheck={false}
          value={draft.text.value}
          onInput={into(draft.text)}
        />
      </label>
      <label class="field">
        <span>Run at, in your time zone; empty for {mode === 'retry' ? 'now' : 'as it is'}</span>
        <input type="datetime-local" value={draft.runAt.value} onInput={into(draft.runAt)} />
      </label>
      {mode === 'edit' && (
        <label class="field">
          <span>Priority, higher first</span>
          <input
            type="number"
            step="1"
            value={draft.priority.value}
            onInput={into(draft.priority)}
          />
        </label>
      )}
    </>
  )
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

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return error instanceof SyntaxError ? `This is not JSON: ${text}` : text
}
