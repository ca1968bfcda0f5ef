import type { JSX } from 'preact'
import { AreaField, TextField } from '../../components/field.tsx'
import { Segments } from '../../components/segments.tsx'
import { QueueField } from './queue-field.tsx'
import { SqlFields } from './sql-fields.tsx'
import type { TaskDraft } from './task-draft.ts'

/** What is to be done: SQL, a handler's work or a document, and how. */
export function TaskFields({ draft }: { readonly draft: TaskDraft }): JSX.Element {
  const kind = draft.kind.value
  return (
    <>
      <Segments
        label="Kind"
        value={kind}
        choices={[
          { value: 'sql', text: 'SQL' },
          { value: 'handler', text: 'Handler' },
          { value: 'document', text: 'Document' },
        ]}
        onChange={(value) => {
          draft.kind.value = value
        }}
      />
      {kind === 'sql' ? <SqlFields draft={draft} /> : <PayloadFields draft={draft} />}
      <details class="form-more">
        <summary>Key, tags, groups, priority, attempts, timeout</summary>
        <More draft={draft} />
      </details>
    </>
  )
}

function PayloadFields({ draft }: { readonly draft: TaskDraft }): JSX.Element {
  const isHandler = draft.kind.value === 'handler'
  return (
    <>
      <div class="form-grid">
        <QueueField draft={draft} />
        {isHandler && (
          <TextField
            label="Handler"
            value={draft.handler}
            placeholder={draft.queue.value || 'as the queue'}
            hint="By default the name of the queue."
          />
        )}
      </div>
      <AreaField
        label="Payload, JSON"
        value={draft.payload}
        rows={8}
        hint={isHandler ? 'The data for the handler.' : 'The data for the program that claims it.'}
      />
    </>
  )
}

function More({ draft }: { readonly draft: TaskDraft }): JSX.Element {
  return (
    <div class="form-grid">
      <TextField
        label="Key"
        value={draft.key}
        placeholder="none"
        hint="At most one live task per queue has this key."
      />
      <TextField label="Tags" value={draft.tags} placeholder="a, b" hint="Separated by commas." />
      <TextField
        label="Groups"
        value={draft.groups}
        placeholder="customer 42"
        hint="Groups whose limits it shares, separated by commas."
      />
      <TextField
        label="Priority"
        type="number"
        value={draft.priority}
        placeholder="0"
        hint="Higher first."
      />
      <TextField
        label="Attempts"
        type="number"
        value={draft.max_attempts}
        placeholder="as its queue says"
      />
      <TextField label="Timeout" value={draft.timeout} placeholder="none" hint="30 seconds" />
    </div>
  )
}
