import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { EditDialog } from '../../components/edit-dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { Needs } from '../../components/needs.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { useLoad } from '../../lib/load.ts'
import { inWordsOf } from '../../lib/settings.ts'
import { may } from '../../session.ts'
import { queuePath } from '../queues/queue-actions.ts'
import { defaultSettings } from '../queues/queue-settings.ts'

/** The queue `*`: retention and rules where a queue says nothing of its own. */
export function Defaults(): JSX.Element {
  const isEdited = useSignal(false)
  const loaded = useLoad<{ readonly settings: Readonly<Record<string, unknown>> }>(queuePath('*'))
  const settings = loaded.data.value?.settings
  return (
    <Section
      title="Defaults of all queues"
      actions={
        may('operate') && (
          <Button
            icon="edit"
            onClick={() => {
              isEdited.value = true
            }}
          >
            Edit…
          </Button>
        )
      }
    >
      <Needs scope="operate" to="change them" />
      <ProblemNote error={loaded.error.value} />
      <Facts
        wide
        facts={defaultSettings.map(({ name, label }) => [label, inWordsOf(settings?.[name])])}
      />
      {isEdited.value && (
        <EditDialog
          title="Defaults of all queues"
          path={queuePath('*')}
          settings={defaultSettings}
          onClose={() => {
            isEdited.value = false
          }}
          onSaved={loaded.reload}
        />
      )}
    </Section>
  )
}
