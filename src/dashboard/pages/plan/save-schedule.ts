import { ApiError, api } from '../../api.ts'
import { asApiError, type Edited, saveEdit } from '../../lib/edit.ts'
import { type ScheduleDetail, schedulePath } from '../schedules/schedule-model.ts'
import { givenOnly, type PlanDraft, type PlanSettings, planChanges, planOf } from './plan-draft.ts'
import { type TaskDraft, taskDraft, taskOf } from './task-draft.ts'

interface Drafts {
  readonly plan: PlanDraft
  readonly task: TaskDraft
}

/** Makes a schedule of a name that is free; answers with what is wrong, or null. */
export async function createSchedule(name: string, drafts: Drafts): Promise<ApiError | null> {
  try {
    const settings = { ...givenOnly(planOf(drafts.plan)), task: taskOf(drafts.task) }
    await api.put(schedulePath(name), settings, { headers: { 'if-none-match': '*' } })
    return null
  } catch (error) {
    return error instanceof ApiError && error.status === 412 ? taken(name) : asApiError(error)
  }
}

/** Sends what differs, if the schedule still is what was seen. */
export async function changeSchedule(
  { data, etag }: Edited<ScheduleDetail>,
  before: PlanSettings,
  drafts: Drafts,
): Promise<ApiError | null> {
  try {
    const changes = planChanges(before, planOf(drafts.plan))
    const task = taskOf(drafts.task)
    const isSame = JSON.stringify(task) === JSON.stringify(taskOf(taskDraft(data.task)))
    return await saveEdit(schedulePath(data.name), isSame ? changes : { ...changes, task }, etag)
  } catch (error) {
    return asApiError(error)
  }
}

function taken(name: string): ApiError {
  return new ApiError({
    code: 'key_taken',
    detail: `There is a schedule named ${name} already.`,
    hint: 'Choose another name, or edit the existing schedule.',
  })
}
