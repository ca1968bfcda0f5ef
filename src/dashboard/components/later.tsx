import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { asApiError } from '../lib/edit.ts'
import { ProblemNote } from './problem.tsx'

type Load<Props> = () => Promise<ComponentType<Props>>

/** A component whose code comes when it is needed; one that could not come says so and can be asked again. */
export function later<Props extends object>(load: Load<Props>): ComponentType<Props> {
  const loaded = signal<{ readonly component: ComponentType<Props> } | null>(null)
  const failed = signal<unknown>(null)
  const fetchIt = () => {
    failed.value = null
    load().then(
      (component) => {
        loaded.value = { component }
      },
      (error: unknown) => {
        failed.value = error
      },
    )
  }
  return function Later(props: Props): JSX.Element | null {
    useEffect(() => {
      if (loaded.peek() === null) fetchIt()
    }, [])
    const Component = loaded.value?.component
    if (Component !== undefined) return <Component {...props} />
    if (failed.value === null) return null
    return <ProblemNote error={asApiError(failed.value)} onRetry={fetchIt} />
  }
}
