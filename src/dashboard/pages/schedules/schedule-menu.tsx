import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import type { Schedule } from '../../model.ts'
import { href, navigate } from '../../router.ts'
import { BackfillDialog } from './backfill-dialog.tsx'
import { deleteSchedule, pauseSchedule, resumeSchedule, runNow } from './schedule-actions.ts'

/** What can be done to a schedule. */
export function ScheduleMenu({
  schedule,
  onDone,
  onDeleted = onDone,
  text,
}: {
  readonly schedule: Pick<Schedule, 'name' | 'state'> & { readonly paused_at?: string | null }
  readonly onDone: () => void
  readonly onDeleted?: () => void
  readonly text?: string
}): JSX.Element {
  const isBackfilled = useSignal(false)
  const { name } = schedule
  const isPaused = schedule.state === 'paused' || (schedule.paused_at ?? null) !== null
  const then = (doIt: Promise<boolean>, after = onDone) =>
    void doIt.then((isDone) => isDone && after())
  const items: readonly MenuItem[] = [
    { text: 'Run now', icon: 'play', onSelect: () => then(runNow(name)) },
    isPaused
      ? { text: 'Resume', icon: 'play', onSelect: () => then(resumeSchedule(name)) }
      : { text: 'Pause', icon: 'pause', onSelect: () => then(pauseSchedule(name)) },
    {
      text: 'Edit…',
      icon: 'edit',
      onSelect: () => navigate(href('/plan', { schedule: name })),
    },
    {
      text: 'Backfill…',
      icon: 'retry',
      onSelect: () => {
        isBackfilled.value = true
      },
    },
    {
      text: 'Delete…',
      icon: 'trash',
      danger: true,
      onSelect: () => then(deleteSchedule(name), onDeleted),
    },
  ]
  return (
    <>
      <Menu label={`Actions for ${name}`} items={items} {...(text === undefined ? {} : { text })} />
      {isBackfilled.value && (
        <BackfillDialog
          name={name}
          onClose={() => {
            isBackfilled.value = false
          }}
          onDone={onDone}
        />
      )}
    </>
  )
}
