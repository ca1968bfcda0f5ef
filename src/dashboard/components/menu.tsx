import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onSelect: () => void
}

interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** Words on the button; without them it shows the icon alone. */
  readonly text?: string
  readonly icon?: IconName
}

/** A button with a list of things to do: arrows go through it, Escape closes it. */
export function Menu({ label, items, text, icon = 'down' }: MenuProps): JSX.Element {
  const isOpen = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = () => {
    isOpen.value = false
    root.current?.querySelector('button')?.focus()
  }
  useEffect(() => {
    if (!isOpen.value) return undefined
    root.current?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus()
    const onOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target)) return
      isOpen.value = false
    }
    document.addEventListener('pointerdown', onOutside)
    return () => document.removeEventListener('pointerdown', onOutside)
  }, [isOpen.value])
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        class={`button button--plain${text === undefined ? ' button--icon' : ''}`}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={id}
        aria-label={text === undefined ? label : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {text !== undefined && <span>{text}</span>}
        <Icon name={icon} />
      </button>
      {isOpen.value && <MenuList id={id} label={label} items={items} onClose={close} />}
    </div>
  )
}

function MenuList(props: {
  readonly id: string
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  return (
    <div
      class="menu__list"
      role="menu"
      id={props.id}
      aria-label={props.label}
      ref={list}
      tabIndex={-1}
      onKeyDown={(event) => moveFocus(event, list.current, props.onClose)}
    >
      {props.items.map((item) => (
        <button
          key={item.text}
          type="button"
          role="menuitem"
          class={`menu__item${item.danger === true ? ' menu__item--danger' : ''}`}
          disabled={item.disabled}
          onClick={() => {
            props.onClose()
            item.onSelect()
          }}
        >
          {item.icon !== undefined && <Icon name={item.icon} />}
          {item.text}
        </button>
      ))}
    </div>
  )
}

function moveFocus(event: KeyboardEvent, list: HTMLElement | null, close: () => void): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [])]
  const active = document.activeElement
  const at = active instanceof HTMLElement ? items.indexOf(active) : -1
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1 + items.length,
    Home: 0,
    End: items.length - 1,
  }
  const step = steps[event.key]
  if (event.key === 'Escape' || event.key === 'Tab') close()
  else if (step !== undefined) items[step % items.length]?.focus()
  else return
  event.preventDefault()
  event.stopPropagation()
}
