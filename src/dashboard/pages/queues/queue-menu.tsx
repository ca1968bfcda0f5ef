import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { EditDialog } from '../../components/edit-dialog.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import type { QueueStats } from '../../model.ts'
import { PurgeDialog } from './purge-dialog.tsx'
import { cancelWaiting, pauseQueue, queuePath, resumeQueue, retryFailed } from './queue-actions.ts'
import { queueSettings } from './queue-settings.ts'

/** What can be done to a queue. */
export function QueueMenu({
  stats,
  onDone,
  text,
}: {
  readonly stats: QueueStats
  readonly onDone: () => void
  /** Words on the button. */
  readonly text?: string
}): JSX.Element {
  const shown = useSignal<'edit' | 'purge' | null>(null)
  const { queue, paused_at: pausedAt } = stats
  const close = () => {
    shown.value = null
  }
  const then = (doIt: Promise<boolean>) => void doIt.then((isDone) => isDone && onDone())
  const pause: MenuItem =
    pausedAt === null
      ? { text: 'Pause…', icon: 'pause', onSelect: () => then(pauseQueue(stats)) }
      : { text: 'Resume', icon: 'play', onSelect: () => then(resumeQueue(queue)) }
  const items: readonly MenuItem[] = [
    pause,
    { text: 'Settings and limits…', icon: 'edit', onSelect: () => (shown.value = 'edit') },
    { text: 'Retry all failed…', icon: 'retry', onSelect: () => then(retryFailed(queue)) },
    {
      text: 'Cancel all waiting…',
      icon: 'stop',
      danger: true,
      onSelect: () => then(cancelWaiting(queue)),
    },
    { text: 'Purge…', icon: 'trash', danger: true, onSelect: () => (shown.value = 'purge') },
  ]
  return (
    <>
      <Menu
        label={`Actions for ${queue}`}
        items={items}
        {...(text === undefined ? {} : { text })}
      />
      {shown.value === 'edit' && (
        <EditDialog
          title={`Settings of ${queue}`}
          path={queuePath(queue)}
          settings={queueSettings}
          onClose={close}
          onSaved={onDone}
        />
      )}
      {shown.value === 'purge' && <PurgeDialog queue={queue} onClose={close} onDone={onDone} />}
    </>
  )
}
