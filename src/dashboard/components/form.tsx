import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { ApiError } from '../api.ts'
import { asApiError } from '../lib/edit.ts'
import { Button } from './button.tsx'
import { ProblemNote } from './problem.tsx'

interface FormProps {
  readonly children: ComponentChildren
  /** What the button says: the deed. */
  readonly action: string
  readonly look?: 'primary' | 'danger'
  readonly disabled?: boolean
  /** Does it; an error that it throws is shown above the fields. */
  readonly onSubmit: () => unknown
  readonly onClose: () => void
}

/** Boxes of a dialog with the button that does it, and the one that does not. */
export function Form(props: FormProps): JSX.Element {
  const { look = 'primary', disabled = false } = props
  const problem = useSignal<ApiError | null>(null)
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    try {
      await props.onSubmit()
    } catch (error) {
      problem.value = asApiError(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <ProblemNote error={problem.value} />
      {props.children}
      <div class="form-foot">
        <Button onClick={props.onClose}>Keep things as they are</Button>
        <Button type="submit" look={look} busy={isBusy.value} disabled={disabled}>
          {props.action}
        </Button>
      </div>
    </form>
  )
}
