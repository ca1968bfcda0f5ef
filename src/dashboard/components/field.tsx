import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { lastMoment } from '../lib/moment.ts'

interface FieldProps {
  readonly label: string
  /** What to give, below the box. */
  readonly hint?: ComponentChildren
  /** What is wrong with what was given. */
  readonly problem?: string | undefined
}

/** What ties a box to its words: the ids that the label, the hint and the box share. */
interface Ids {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

function Frame({
  label,
  hint,
  problem,
  children,
}: FieldProps & { readonly children: (ids: Ids) => ComponentChildren }): JSX.Element {
  const id = useId()
  const isExplained = hint !== undefined || problem !== undefined
  return (
    <div class="form-field">
      <label class="form-field__label" for={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': isExplained ? `${id}-hint` : undefined,
        'aria-invalid': problem === undefined ? undefined : true,
      })}
      {isExplained && (
        <p
          class={problem === undefined ? 'form-field__hint' : 'form-field__problem'}
          id={`${id}-hint`}
        >
          {problem ?? hint}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends FieldProps {
  readonly value: Signal<string>
  readonly type?: 'text' | 'number' | 'datetime-local'
  readonly placeholder?: string | undefined
  readonly required?: boolean
  readonly autofocus?: boolean
  /** In the letters of code. */
  readonly mono?: boolean
  /** What could be meant, offered while typing. */
  readonly offers?: readonly string[]
}

/** A line of text with its label. */
export function TextField({ value, type = 'text', ...props }: TextFieldProps): JSX.Element {
  const listId = useId()
  return (
    <Frame {...props}>
      {(ids) => (
        <>
          <input
            {...ids}
            type={type}
            max={type === 'datetime-local' ? lastMoment : undefined}
            class={props.mono === true ? 'mono' : undefined}
            value={value.value}
            placeholder={props.placeholder}
            required={props.required}
            autofocus={props.autofocus}
            autocomplete="off"
            spellcheck={false}
            list={props.offers === undefined ? undefined : listId}
            onInput={(event) => {
              value.value = event.currentTarget.value
            }}
          />
          {props.offers !== undefined && (
            <datalist id={listId}>
              {props.offers.map((offer) => (
                <option key={offer} value={offer} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Frame>
  )
}

interface AreaFieldProps extends FieldProps {
  readonly value: Signal<string>
  readonly rows?: number
  readonly placeholder?: string
  readonly required?: boolean
}

/** Lines of text: SQL, JSON. */
export function AreaField({ value, rows = 6, ...props }: AreaFieldProps): JSX.Element {
  return (
    <Frame {...props}>
      {(ids) => (
        <textarea
          {...ids}
          rows={rows}
          value={value.value}
          placeholder={props.placeholder}
          required={props.required}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            value.value = event.currentTarget.value
          }}
        />
      )}
    </Frame>
  )
}

export interface Choice {
  readonly value: string
  readonly text: string
}

interface ChoiceFieldProps extends FieldProps {
  readonly value: Signal<string>
  readonly choices: readonly Choice[]
}

/** One of a few. */
export function ChoiceField({ value, choices, ...props }: ChoiceFieldProps): JSX.Element {
  return (
    <Frame {...props}>
      {(ids) => (
        <select
          {...ids}
          value={value.value}
          onChange={(event) => {
            value.value = event.currentTarget.value
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Frame>
  )
}

/** Yes or no. */
export function CheckField({
  label,
  hint,
  checked,
  onChange,
}: {
  readonly label: ComponentChildren
  readonly hint?: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}): JSX.Element {
  return (
    <label class="form-check">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <span class="form-field__hint"> {hint}</span>}
      </span>
    </label>
  )
}
