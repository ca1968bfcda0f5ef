import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { EditDialog } from '../../components/edit-dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { Needs } from '../../components/needs.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import type { InForce } from '../../components/settings-form.tsx'
import { useLoad } from '../../lib/load.ts'
import { inWordsOf } from '../../lib/settings.ts'
import { may } from '../../session.ts'
import { queuePath } from '../queues/queue-actions.ts'
import { defaultSettings } from '../queues/queue-settings.ts'

/** The queue `*`: retention and rules where a queue says nothing of its own. */
export function Defaults(): JSX.Element {
  const isEdited = useSignal(false)
  const loaded = useLoad<{ readonly in_force: InForce }>(queuePath('*'))
  const held = loaded.data.value?.in_force
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
        facts={defaultSettings.map(({ name, label }) => {
          const { value, source } = held?.[name] ?? {}
          const text = inWordsOf(value)
          return [
            label,
            <>
              {text === '' ? 'none' : text}{' '}
              <span class="muted">{source === '*' ? 'changed' : 'default'}</span>
            </>,
          ]
        })}
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
