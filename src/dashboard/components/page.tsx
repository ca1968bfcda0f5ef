import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface PageFrameProps {
  readonly title: ComponentChildren
  /** For the tab of the browser, where the title is more than text. */
  readonly name?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** What every page stands in: a heading that takes the focus when one comes here, and room for actions. */
export function PageFrame({ title, name, actions, children }: PageFrameProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  const text = name ?? (typeof title === 'string' ? title : 'Tusk')
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  useEffect(() => {
    document.title = `${text} · Tusk`
  }, [text])
  return (
    <>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions !== undefined && <div class="page-head__actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
  flush = false,
}: {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** The content goes to the edges, as a table does. */
  readonly flush?: boolean
}): JSX.Element {
  return (
    <section class={flush ? 'panel panel--flush' : 'panel'} aria-label={title}>
      <header class="panel__head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="panel__actions">{actions}</div>}
      </header>
      <div class="panel__body">{children}</div>
    </section>
  )
}
