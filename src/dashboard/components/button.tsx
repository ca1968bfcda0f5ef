import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icons.tsx'

interface ButtonProps {
  readonly children?: ComponentChildren
  readonly icon?: IconName
  /** Said instead of words, where there is an icon alone. */
  readonly label?: string
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean
  readonly busy?: boolean
  readonly pressed?: boolean
  readonly onClick?: (event: MouseEvent) => void
  readonly id?: string
  readonly autofocus?: boolean
}

export function Button(props: ButtonProps): JSX.Element {
  const { children, icon, label, look = 'plain', type = 'button', busy = false } = props
  return (
    <button
      type={type}
      id={props.id}
      class={`button button--${look}${children === undefined ? ' button--icon' : ''}`}
      disabled={props.disabled === true || busy}
      aria-busy={busy}
      aria-label={label}
      aria-pressed={props.pressed}
      title={children === undefined ? label : undefined}
      autofocus={props.autofocus}
      onClick={props.onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  )
}
