import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { type Counted, cappedCount } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { operate } from '../../lib/operate.ts'

const kinds = [
  { name: 'Waiting', states: ['ready', 'blocked', 'scheduled', 'retrying'] },
  { name: 'Running', states: ['running'], hint: 'They are stopped.' },
  { name: 'Failed', states: ['failed'] },
  { name: 'Cancelled', states: ['cancelled'] },
  { name: 'Done', states: ['done'] },
] as const

interface PurgeDialogProps {
  readonly queue: string
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Which tasks of a queue to delete; the next question has the count. */
export function PurgeDialog({ queue, onClose, onDone }: PurgeDialogProps): JSX.Element {
  const chosen = useSignal<readonly string[]>([])
  const submit = async () => {
    const states = kinds.filter(({ name }) => chosen.value.includes(name)).flatMap((k) => k.states)
    onClose()
    if (await operate({ action: 'delete', filter: { queue, state: states } })) onDone()
  }
  return (
    <Dialog title={`Purge ${queue}`} onClose={onClose}>
      <Form
        action="Delete…"
        look="danger"
        disabled={chosen.value.length === 0}
        onClose={onClose}
        onSubmit={submit}
      >
        <fieldset>
          <legend>Delete these tasks of the queue, with their output and history</legend>
          {kinds.map((kind) => (
            <Kind
              key={kind.name}
              queue={queue}
              kind={kind}
              checked={chosen.value.includes(kind.name)}
              onChange={(isChosen) => {
                const others = chosen.value.filter((name) => name !== kind.name)
                chosen.value = isChosen ? [...others, kind.name] : others
              }}
            />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}

function Kind({
  queue,
  kind,
  checked,
  onChange,
}: {
  readonly queue: string
  readonly kind: (typeof kinds)[number]
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}): JSX.Element {
  const counted = useLoad<Counted>('/tasks/count', { queue, state: kind.states }).data.value
  return (
    <CheckField
      checked={checked}
      onChange={onChange}
      label={
        <>
          {kind.name} <span class="muted">{counted === null ? '…' : cappedCount(counted)}</span>
        </>
      }
      {...('hint' in kind ? { hint: kind.hint } : {})}
    />
  )
}
