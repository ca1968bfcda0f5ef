import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { ChoiceField, TextField } from './field.tsx'

type Policy = Readonly<Record<string, unknown>>

/** Which parts each kind of backoff has. */
const parts: Readonly<Record<string, readonly string[]>> = {
  exponential: ['base', 'cap', 'jitter'],
  fixed: ['base', 'jitter'],
}

const labels: Readonly<Record<string, readonly [label: string, placeholder: string]>> = {
  base: ['First wait', '1 second'],
  cap: ['At most', '1 hour'],
  jitter: ['Jitter, 0 to 1', '0'],
}

/** How long a task waits after a failed attempt, as a form; the signal has it as JSON, empty for the default. */
export function BackoffField({
  label,
  hint,
  problem,
  value,
  inherited,
}: {
  readonly label: string
  readonly hint: string | undefined
  readonly problem: string | undefined
  readonly value: Signal<string>
  readonly inherited: string | undefined
}): JSX.Element {
  const { kind = '', ...rest } = read(value.value)
  const shown = parts[String(kind)] ?? []
  const write = (changes: Policy) => {
    const next = { kind, ...rest, ...changes }
    const names = ['kind', 'on_permanent', ...(parts[String(next['kind'])] ?? [])]
    const kept = Object.entries(next).filter(([name, one]) => names.includes(name) && one !== '')
    value.value = next['kind'] === '' ? '' : JSON.stringify(Object.fromEntries(kept))
  }
  const bound = (name: string, fallback = '') => ({
    get value() {
      return String(name === 'kind' ? kind : (rest[name] ?? fallback))
    },
    set value(given: string) {
      write({ [name]: name === 'jitter' && given !== '' ? Number(given) : given })
    },
  })
  return (
    <fieldset class="backoff">
      <legend class="hidden">{label}</legend>
      <ChoiceField
        label={label}
        hint={hint}
        problem={problem}
        value={bound('kind') as Signal<string>}
        choices={[
          { value: '', text: inherited ?? 'default' },
          { value: 'exponential', text: 'exponential: twice as long each time' },
          { value: 'fixed', text: 'fixed: as long each time' },
          { value: 'none', text: 'none: at once' },
          { value: 'never', text: 'never: the first failure is the last' },
        ]}
      />
      {shown.map((name) => {
        const [text = name, placeholder = ''] = labels[name] ?? []
        return (
          <TextField
            key={name}
            label={text}
            placeholder={placeholder}
            value={bound(name) as Signal<string>}
          />
        )
      })}
      {kind !== '' && kind !== 'never' && (
        <ChoiceField
          label="SQL that can never succeed"
          value={bound('on_permanent') as Signal<string>}
          choices={[
            { value: '', text: 'fails at once' },
            { value: 'retry', text: 'is retried' },
          ]}
        />
      )}
    </fieldset>
  )
}

function read(text: string): Policy {
  try {
    return JSON.parse(text) as Policy
  } catch {
    return {}
  }
}
