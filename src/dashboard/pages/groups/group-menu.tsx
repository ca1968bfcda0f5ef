import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { confirm } from '../../components/confirm.tsx'
import { EditDialog } from '../../components/edit-dialog.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { attempt } from '../../components/toast.tsx'
import { plural } from '../../lib/format.ts'
import { groupSettings } from '../queues/queue-settings.ts'
import { type GroupStats, groupPath } from './group-model.ts'

/** What can be done to a group. */
export function GroupMenu({
  group,
  onDone,
  text,
}: {
  readonly group: GroupStats
  readonly onDone: () => void
  readonly text?: string
}): JSX.Element {
  const isEdited = useSignal(false)
  const { group: name } = group
  const then = (doIt: Promise<boolean>) => void doIt.then((isDone) => isDone && onDone())
  const items: readonly MenuItem[] = [
    group.paused_at === null
      ? { text: 'Pause…', icon: 'pause', onSelect: () => then(pause(group)) }
      : { text: 'Resume', icon: 'play', onSelect: () => then(resume(name)) },
    {
      text: 'Limits…',
      icon: 'edit',
      onSelect: () => {
        isEdited.value = true
      },
    },
  ]
  return (
    <>
      <Menu label={`Actions for ${name}`} items={items} {...(text === undefined ? {} : { text })} />
      {isEdited.value && (
        <EditDialog
          title={`Limits of ${name}`}
          path={groupPath(name)}
          settings={groupSettings}
          onClose={() => {
            isEdited.value = false
          }}
          onSaved={onDone}
        />
      )}
    </>
  )
}

async function pause({ group: name, running, parked }: GroupStats): Promise<boolean> {
  const isSure = await confirm({
    title: `Pause ${name}?`,
    text: `No task of the group starts until it is resumed, in any queue. ${plural(parked, 'task')} wait for it already; what runs now (${running}) goes on.`,
    action: 'Pause the group',
    danger: false,
  })
  return isSure && attempt(() => api.post(groupPath(name, '/pause')), `${name} is paused.`)
}

function resume(name: string): Promise<boolean> {
  return attempt(() => api.post(groupPath(name, '/resume')), `${name} goes on.`)
}
