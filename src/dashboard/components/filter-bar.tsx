import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { type FilterName, type Suggestion, suggest } from '../lib/suggest.ts'
import { Icon } from './icons.tsx'

interface FilterBarProps {
  readonly names: readonly FilterName[]
  /** What the list is narrowed by, under its names; text has none. */
  readonly said: ReadonlyMap<string | undefined, string>
  readonly placeholder: string
  /** Words were typed or chosen. */
  readonly onSay: (words: string) => void
  readonly onRemove: (name: string | undefined) => void
}

/** Narrows a list: what was said becomes chips. The page keeps it in the address, so that a link shows the same. */
export function FilterBar(props: FilterBarProps): JSX.Element {
  const { said, onRemove } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <search class="filter">
      <Icon name="search" />
      {[...said].map(([name, value]) => (
        <span key={name} class="chip">
          <span class="chip__name">{name && `${name}:`}</span>
          <span class="chip__value">{value}</span>
          <button
            type="button"
            aria-label={`Remove the filter ${name ?? 'text'}`}
            onClick={() => {
              onRemove(name)
              input.current?.focus()
            }}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <FilterInput
        {...props}
        inputRef={input}
        onRemoveLast={() => {
          const last = [...said.keys()].pop()
          if (said.size > 0) onRemove(last)
        }}
      />
    </search>
  )
}

interface FilterInputProps extends FilterBarProps {
  readonly inputRef: { current: HTMLInputElement | null }
  readonly onRemoveLast: () => void
}

function FilterInput(props: FilterInputProps): JSX.Element {
  const { placeholder, inputRef } = props
  const typing = useTyping(props)
  const { typed, offers, at, isOpen } = typing
  const listId = useId()
  return (
    <div class="filter__box">
      <input
        ref={inputRef}
        type="text"
        role="combobox"
        data-search
        aria-label="Filter"
        aria-expanded={offers.value.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at.value < 0 ? undefined : `${listId}-${at.value}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={typed.value}
        onInput={(event) => typing.type(event.currentTarget.value)}
        onFocus={() => {
          isOpen.value = true
        }}
        onBlur={() => {
          isOpen.value = false
        }}
        onKeyDown={typing.press}
      />
      <Offers id={listId} offers={offers.value} at={at.value} onTake={typing.take} />
    </div>
  )
}

/** What is typed, what is offered for it, and what the keys do. */
function useTyping({ names, inputRef, onSay, onRemoveLast }: FilterInputProps) {
  const typed = useSignal('')
  const isOpen = useSignal(false)
  const at = useSignal(-1)
  const offers = useComputed(() => (isOpen.value ? suggest(typed.value, names) : []))
  const type = (text: string) => {
    typed.value = text
    isOpen.value = true
    at.value = -1
  }
  const take = (offer: Suggestion | undefined) => {
    const text = offer?.text ?? typed.value
    if (offer !== undefined && !offer.isWhole) {
      type(text)
      return
    }
    type('')
    isOpen.value = false
    if (text.trim() !== '') onSay(text)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      isOpen.value = true
      at.value = Math.min(at.value + 1, offers.value.length - 1)
    },
    ArrowUp: () => {
      at.value = Math.max(at.value - 1, -1)
    },
    Enter: () => take(offers.value[at.value]),
    Escape: () => {
      if (offers.value.length === 0) inputRef.current?.blur()
      isOpen.value = false
    },
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && typed.value === '') onRemoveLast()
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return { typed, isOpen, at, offers, type, take, press }
}

function Offers(props: {
  readonly id: string
  readonly offers: readonly Suggestion[]
  readonly at: number
  readonly onTake: (offer: Suggestion) => void
}): JSX.Element {
  return (
    <div
      class="filter__list"
      role="listbox"
      id={props.id}
      aria-label="Suggestions"
      hidden={props.offers.length === 0}
    >
      {props.offers.map((offer, index) => (
        <div
          key={offer.text}
          id={`${props.id}-${index}`}
          class={index === props.at ? 'filter__offer filter__offer--at' : 'filter__offer'}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.at}
          // Before the input loses the focus, which would close the list.
          onMouseDown={(event) => {
            event.preventDefault()
            props.onTake(offer)
          }}
        >
          <span>{offer.text}</span>
          <span class="muted">{offer.hint}</span>
        </div>
      ))}
    </div>
  )
}
