import type { JSX } from 'preact'
import type { Choice } from './field.tsx'

/** One of a few, all in sight. */
export function Segments({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}): JSX.Element {
  return (
    <fieldset class="segments" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </fieldset>
  )
}
