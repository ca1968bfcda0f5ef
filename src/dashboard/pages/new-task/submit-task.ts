import type { Signal } from '@preact/signals'
import type { enqueuedOne, plannedTask } from '../../../http/schemas/enqueue.ts'
import { type ApiError, api } from '../../api.ts'
import { toast } from '../../components/toast.tsx'
import { asApiError } from '../../lib/edit.ts'
import { momentOf } from '../../lib/moment.ts'
import type { Read } from '../../model.ts'
import { givenOnly, type PlanDraft, planOf } from '../plan/plan-draft.ts'
import { type TaskDraft, taskOf } from '../plan/task-draft.ts'

/** All that the page asks for. */
export interface Drafts {
  readonly task: TaskDraft
  readonly plan: PlanDraft
  /** now, later or schedule */
  readonly when: Signal<string>
  readonly runAt: Signal<string>
  readonly name: Signal<string>
}

type Submitted =
  | { readonly task: string }
  | { readonly schedule: string }
  | { readonly problem: ApiError }

type Answer = Partial<Read<typeof enqueuedOne> & Read<typeof plannedTask>>

/** Enqueues it, or makes the schedule that does. */
export async function submitTask(drafts: Drafts): Promise<Submitted> {
  try {
    const answer = await api.post<Answer>('/tasks', { ...taskOf(drafts.task), ...timeOf(drafts) })
    if (answer.schedule !== undefined) {
      toast(`${answer.schedule} is set.`, { tone: 'good' })
      return { schedule: answer.schedule }
    }
    const { id = '', outcome } = answer
    toast(outcome === 'created' ? `Task ${id} is queued.` : `Its key was taken: ${outcome}.`, {
      tone: outcome === 'created' ? 'good' : 'plain',
    })
    return { task: id }
  } catch (error) {
    return { problem: asApiError(error) }
  }
}

function timeOf({ when, runAt, name, plan }: Drafts): Readonly<Record<string, unknown>> {
  if (when.value === 'later') return { run_at: momentOf(runAt.value) }
  if (when.value !== 'schedule') return {}
  const given = name.value.trim()
  return { repeat: { ...givenOnly(planOf(plan)), ...(given === '' ? {} : { name: given }) } }
}
