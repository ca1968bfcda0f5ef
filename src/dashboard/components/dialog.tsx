import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose: () => void
  /** The buttons; the one that does it comes last. */
  readonly actions?: ComponentChildren
  readonly wide?: boolean
}

/** The browser's own dialog: it keeps the focus inside, gives it back, and closes by Escape. */
export function Dialog({
  title,
  children,
  onClose,
  actions,
  wide = false,
}: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog dialog--wide' : 'dialog'}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <header class="dialog__head">
        <h2 id={titleId}>{title}</h2>
        <Button look="quiet" icon="close" label="Close" onClick={onClose} />
      </header>
      <div class="dialog__body">{children}</div>
      {actions !== undefined && <footer class="dialog__foot">{actions}</footer>}
    </dialog>
  )
}
