import type { ComponentChildren, JSX } from 'preact'

interface TileProps {
  readonly label: string
  readonly value: ComponentChildren
  readonly note?: ComponentChildren
  readonly tone?: string
  readonly href?: string
}

/** The few numbers that say how things are. */
export function Tiles({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <ul class="tiles">{children}</ul>
}

export function Tile({ label, value, note, tone = 'plain', href }: TileProps): JSX.Element {
  const content = (
    <>
      <span class="tile__label">{label}</span>
      <span class="tile__value">{value}</span>
      <span class="tile__note">{note}</span>
    </>
  )
  return (
    <li class={`tile tone-${tone}`}>
      {href === undefined ? (
        <div class="tile__body">{content}</div>
      ) : (
        <a class="tile__body" href={href}>
          {content}
        </a>
      )}
    </li>
  )
}
