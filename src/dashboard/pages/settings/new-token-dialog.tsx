import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { givenMoment } from '../../lib/moment.ts'
import { href } from '../../router.ts'
import { type CreatedToken, scopes } from './token-model.ts'

interface NewTokenDialogProps {
  readonly onClose: () => void
  readonly onMade: () => void
}

/** Makes a token, and shows its secret this once. */
export function NewTokenDialog({ onClose, onMade }: NewTokenDialogProps): JSX.Element {
  const secret = useSignal<string | null>(null)
  return (
    <Dialog title={secret.value === null ? 'New token' : 'The token'} onClose={onClose}>
      {secret.value === null ? (
        <TokenForm
          onClose={onClose}
          onMade={(token) => {
            secret.value = token
            onMade()
          }}
        />
      ) : (
        <Secret token={secret.value} onClose={onClose} />
      )}
    </Dialog>
  )
}

function TokenForm({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (token: string) => void
}): JSX.Element {
  const name = useSignal('')
  const expires = useSignal('')
  const queues = useSignal('')
  const chosen = useSignal<readonly string[]>(['read'])
  const submit = async () => {
    const { token } = await api.post<CreatedToken>('/tokens', {
      name: name.value.trim(),
      scopes: inQueues(chosen.value, queues.value),
      ...givenMoment('expires_at', expires.value),
    })
    onMade(token)
  }
  const toggle = (scope: string, isOn: boolean) => {
    const others = chosen.value.filter((one) => one !== scope)
    chosen.value = isOn ? [...others, scope] : others
  }
  return (
    <Form
      action="Make the token"
      disabled={chosen.value.length === 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label="Name" value={name} required placeholder="who or what uses it" />
      <fieldset>
        <legend>Scopes</legend>
        {scopes.map((scope) => (
          <CheckField
            key={scope.name}
            label={<code>{scope.name}</code>}
            hint={scope.text}
            checked={chosen.value.includes(scope.name)}
            onChange={(isOn) => toggle(scope.name, isOn)}
          />
        ))}
      </fieldset>
      <TextField
        label="Only in these queues"
        value={queues}
        placeholder="all"
        hint="For enqueue and consume, separated by commas."
      />
      <TextField
        label="Expires, in your time zone"
        type="datetime-local"
        value={expires}
        hint="By default it does not expire."
      />
    </Form>
  )
}

/** `enqueue` in the queues a and b is `enqueue:a` and `enqueue:b`. */
function inQueues(chosen: readonly string[], queues: string): readonly string[] {
  const named = queues
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return chosen.flatMap((scope) => {
    const isPerQueue = scope === 'enqueue' || scope === 'consume'
    return isPerQueue && named.length > 0 ? named.map((queue) => `${scope}:${queue}`) : [scope]
  })
}

function Secret({
  token,
  onClose,
}: {
  readonly token: string
  readonly onClose: () => void
}): JSX.Element {
  const address = `${location.origin}${href('/')}#token=${token}`
  return (
    <>
      <p>It is shown this once. Keep it as you keep a password.</p>
      <div class="command">
        <code>{token}</code>
        <Copy text={token} label="Copy the token" />
      </div>
      <p class="muted">
        An address that signs a browser in: <Copy text={address} label="Copy the address" />
      </p>
      <div class="form-foot">
        <Button look="primary" onClick={onClose}>
          It is kept
        </Button>
      </div>
    </>
  )
}
