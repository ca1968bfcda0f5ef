import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { signIn } from '../session.ts'
import { Button } from './button.tsx'

/** Asks for a token: the server is closed to those who have none. */
export function SignIn({ problem }: { readonly problem: string | null }): JSX.Element {
  const token = useSignal('')
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    await signIn(token.value.trim())
    isBusy.value = false
  }
  return (
    <main class="sign-in">
      <form class="panel sign-in__form" onSubmit={(event) => void submit(event)}>
        <h1>Tusk</h1>
        <p class="muted">
          Paste a token. <code>tusk start</code> prints one, with an address that signs you in.
        </p>
        {problem !== null && (
          <p class="note note--bad" role="alert">
            {problem}
          </p>
        )}
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autocomplete="current-password"
            required
            placeholder="tusk_…"
            value={token.value}
            onInput={(event) => {
              token.value = event.currentTarget.value
            }}
          />
        </label>
        <Button type="submit" look="primary" busy={isBusy.value}>
          Sign in
        </Button>
      </form>
    </main>
  )
}
