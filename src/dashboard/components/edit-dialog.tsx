import type { JSX } from 'preact'
import { saveEdit, useEdited } from '../lib/edit.ts'
import type { Setting } from '../lib/settings.ts'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem.tsx'
import { type InForce, SettingsForm } from './settings-form.tsx'
import { toast } from './toast.tsx'

type Values = Readonly<Record<string, unknown>>

/** Changes the settings of a queue or a group; an edit of something that has changed meanwhile is refused. */
export function EditDialog({
  title,
  path,
  settings,
  onClose,
  onSaved,
}: {
  readonly title: string
  readonly path: string
  readonly settings: readonly Setting[]
  readonly onClose: () => void
  readonly onSaved: () => void
}): JSX.Element {
  const { edited, error } = useEdited<
    Values & { readonly settings?: Values; readonly in_force?: InForce }
  >(path)
  return (
    <Dialog title={title} onClose={onClose} wide>
      <ProblemNote error={error} />
      {edited !== null && (
        <SettingsForm
          settings={settings}
          current={edited.data.settings ?? edited.data}
          inForce={edited.data.in_force}
          action="Save"
          onSave={async (changes) => {
            const problem = await saveEdit(path, changes, edited.etag)
            if (problem !== null) return problem
            toast('Saved. It holds from the next claim on.', { tone: 'good' })
            onSaved()
            onClose()
            return null
          }}
        />
      )}
    </Dialog>
  )
}
