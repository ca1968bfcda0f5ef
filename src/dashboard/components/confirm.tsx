import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Question {
  readonly title: string
  /** What will happen, with the count of what it happens to. */
  readonly text: string
  /** What the button says: the deed, never "OK". */
  readonly action: string
  readonly danger?: boolean
}

interface Asked extends Question {
  readonly answer: (yes: boolean) => void
}

const asked = signal<Asked | null>(null)

/** Asks before something that cannot be undone. */
export function confirm(question: Question): Promise<boolean> {
  asked.peek()?.answer(false)
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = null
        resolve(yes)
      },
    }
  })
}

export function Confirmations(): JSX.Element | null {
  const question = asked.value
  if (question === null) return null
  const { title, text, action, danger = true, answer } = question
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)} autofocus>
            Keep things as they are
          </Button>
          <Button look={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
