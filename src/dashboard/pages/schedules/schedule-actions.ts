import { api } from '../../api.ts'
import { confirm } from '../../components/confirm.tsx'
import { attempt, toast, toastError } from '../../components/toast.tsx'
import { href } from '../../router.ts'
import { schedulePath } from './schedule-model.ts'

/** Fires it once, besides its plan, and says which task that is. */
export async function runNow(name: string): Promise<boolean> {
  try {
    const answer = await api.post<{ readonly task?: string; readonly id?: string }>(
      schedulePath(name, '/run'),
    )
    const task = answer.task ?? answer.id
    toast(`${name} was fired.`, {
      tone: 'good',
      link: task === undefined ? undefined : { text: `Task ${task}`, href: href(`/tasks/${task}`) },
    })
    return true
  } catch (error) {
    toastError(error)
    return false
  }
}

export function pauseSchedule(name: string): Promise<boolean> {
  return attempt(
    () => api.post(schedulePath(name, '/pause')),
    `${name} is paused: its times are skipped until it is resumed.`,
  )
}

export function resumeSchedule(name: string): Promise<boolean> {
  return attempt(() => api.post(schedulePath(name, '/resume')), `${name} goes on.`)
}

export async function deleteSchedule(name: string): Promise<boolean> {
  const isSure = await confirm({
    title: `Delete ${name}?`,
    text: 'The record of its occurrences is deleted too. Its tasks stay.',
    action: 'Delete 1 schedule',
  })
  return isSure && attempt(() => api.delete(schedulePath(name)), `${name} is deleted.`)
}
