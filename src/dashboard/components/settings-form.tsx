import { type Signal, signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ApiError } from '../api.ts'
import { changesOf, inWordsOf, type Setting, sources, textOf } from '../lib/settings.ts'
import { BackoffField } from './backoff-field.tsx'
import { Button } from './button.tsx'
import { type Choice, ChoiceField, TextField } from './field.tsx'
import { ProblemNote } from './problem.tsx'

type Values = Readonly<Record<string, unknown>>
export type InForce = Readonly<Record<string, { readonly value: unknown; readonly source: string }>>

interface SettingsFormProps {
  readonly settings: readonly Setting[]
  readonly current: Values
  /** What holds now, and where it comes from. */
  readonly inForce?: InForce | undefined
  /** What the button says. */
  readonly action: string
  /** Gets what differs, null for what was emptied; answers with what is wrong, or null. */
  readonly onSave: (changes: Values) => Promise<ApiError | null>
}

/** Settings with their names; an empty box is the default, and only what differs is sent. */
export function SettingsForm(props: SettingsFormProps): JSX.Element {
  const { settings, current, action, onSave } = props
  const isBusy = useSignal(false)
  const problem = useSignal<ApiError | null>(null)
  const values = useMemo(
    () => new Map(settings.map((one) => [one.name, signal(textOf(current[one.name]))])),
    [settings, current],
  )
  const changes = changesOf(settings, current, (name) => values.get(name)?.value ?? '')
  const submit = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    problem.value = await onSave(changes)
    isBusy.value = false
  }
  const problemOf = (name: string) =>
    problem.value?.fields.find(({ path }) => path.endsWith(name))?.message
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <ProblemNote error={problem.value} />
      <div class="form-grid">
        {settings.map((one) => {
          const value = values.get(one.name)
          return value === undefined ? null : (
            <SettingField
              key={one.name}
              setting={one}
              value={value}
              problem={problemOf(one.name)}
              inherited={inheritedWords(props.inForce?.[one.name])}
            />
          )
        })}
      </div>
      <div class="form-foot">
        <Button
          type="submit"
          look="primary"
          busy={isBusy.value}
          disabled={Object.keys(changes).length === 0}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}

function SettingField({
  setting,
  value,
  problem,
  inherited,
}: {
  readonly setting: Setting
  readonly value: Signal<string>
  readonly problem: string | undefined
  /** What holds if the box is empty, in words. */
  readonly inherited: string | undefined
}): JSX.Element {
  const { label, hint, kind, choices = [], isAlwaysSet = false } = setting
  const isOpen = !isAlwaysSet || value.value === ''
  if (kind === 'backoff') {
    return (
      <BackoffField
        label={label}
        hint={hint}
        problem={problem}
        value={value}
        inherited={inherited}
      />
    )
  }
  if (kind === 'choice' || kind === 'flag') {
    return (
      <ChoiceField
        label={label}
        hint={hint}
        problem={problem}
        value={value}
        choices={kind === 'flag' ? flags : choicesOf(choices, isOpen, inherited)}
      />
    )
  }
  return (
    <TextField
      label={label}
      hint={hint}
      problem={problem}
      value={value}
      type={kind === 'number' ? 'number' : 'text'}
      placeholder={inherited ?? setting.placeholder ?? 'default'}
    />
  )
}

/** What an empty box means, where the queue itself says nothing yet. */
function inheritedWords(held: InForce[string] | undefined): string | undefined {
  if (held === undefined || held.source === 'queue' || held.value === null) return undefined
  return `${inWordsOf(held.value)} (${sources[held.source]})`
}

const flags: readonly Choice[] = [
  { value: 'false', text: 'no' },
  { value: 'true', text: 'yes' },
]

function choicesOf(
  values: readonly string[],
  hasDefault: boolean,
  inherited: string | undefined,
): readonly Choice[] {
  const given = values.map((value) => ({ value, text: value }))
  return hasDefault ? [{ value: '', text: inherited ?? 'default' }, ...given] : given
}
