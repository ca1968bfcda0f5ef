import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { backfilled } from '../../../http/schemas/schedule.ts'
import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { toast } from '../../components/toast.tsx'
import { useAsked } from '../../lib/debounced.ts'
import { count, exactTime, plural } from '../../lib/format.ts'
import type { Read } from '../../model.ts'
import { type Preview, schedulePath } from './schedule-model.ts'

const most = 1_000
const dayMs = 86_400_000

interface BackfillDialogProps {
  readonly name: string
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Fires planned times of the past that are missing; says how many times lie in the range first. */
export function BackfillDialog({ name, onClose, onDone }: BackfillDialogProps): JSX.Element {
  const from = useSignal(inputTime(Date.now() - dayMs))
  const to = useSignal(inputTime(Date.now()))
  const range = rangeOf(from.value, to.value)
  const planned = usePlanned(name, range)
  const submit = async () => {
    if (range === null) return
    await backfill(name, range)
    onDone()
    onClose()
  }
  return (
    <Dialog title={`Backfill ${name}`} onClose={onClose}>
      <Form action="Backfill" disabled={range === null} onClose={onClose} onSubmit={submit}>
        <p class="muted">
          Makes the tasks of planned times that were missed or skipped. What has fired does not fire
          again.
        </p>
        <div class="form-grid">
          <TextField label="From, in your time zone" type="datetime-local" value={from} required />
          <TextField label="To" type="datetime-local" value={to} required />
        </div>
        <p role="status">{range === null ? 'The range is empty.' : planned}</p>
      </Form>
    </Dialog>
  )
}

interface Range {
  readonly from: string
  readonly to: string
}

function rangeOf(from: string, to: string): Range | null {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  if (!(start <= end)) return null
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
}

/** How many planned times lie in the range, in words. */
function usePlanned(name: string, range: Range | null): string {
  const { answer, error } = useAsked(range === null ? null : `${range.from} ${range.to}`, () =>
    api.post<Preview>('/schedules/preview', { name, from: range?.from, count: most }),
  )
  if (error !== null) return error.message
  if (answer === null || range === null) return 'Counting the planned times…'
  const within = answer.items.filter(({ planned_at: at }) => Date.parse(at) <= Date.parse(range.to))
  const number =
    within.length >= most ? `${count(most)} or more times` : plural(within.length, 'time')
  return `${number} planned in this range; those that have fired are left out.`
}

type Backfilled = Read<typeof backfilled>

async function backfill(name: string, range: Range): Promise<void> {
  const { fired, more_from: rest } = await api.post<Backfilled>(schedulePath(name, '/backfill'), {
    ...range,
    limit: most,
  })
  toast(`${plural(fired, 'task')} made.`, {
    tone: 'good',
    hint: rest === null ? undefined : `There are more from ${exactTime(rest)} on: backfill again.`,
  })
}

/** A moment as a box for times shows it, in the viewer's zone. */
function inputTime(ms: number): string {
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return at.toISOString().slice(0, 16)
}
