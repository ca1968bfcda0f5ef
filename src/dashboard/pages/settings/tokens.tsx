import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { attempt } from '../../components/toast.tsx'
import { useLoad } from '../../lib/load.ts'
import type { Page } from '../../model.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import type { Token } from './token-model.ts'

/** Who may come in over HTTP; the secrets are shown once. */
export function Tokens(): JSX.Element {
  const isNew = useSignal(false)
  const loaded = useLoad<Page<Token>>('/tokens', {}, { every: 15_000 })
  const tokens = loaded.data.value?.items ?? null
  const revoke: Column<Token> = {
    title: 'Actions',
    isTitleHidden: true,
    class: 'col-menu',
    cell: (token) =>
      token.state === 'alive' && (
        <Button onClick={() => void revokeToken(token).then(loaded.reload)}>Revoke…</Button>
      ),
  }
  return (
    <Section
      title="Tokens"
      flush
      actions={
        <Button
          icon="plus"
          onClick={() => {
            isNew.value = true
          }}
        >
          New token
        </Button>
      }
    >
      <ProblemNote error={loaded.error.value} />
      {tokens !== null && tokens.length > 0 && (
        <Table
          label="Tokens"
          rows={tokens}
          rowKey={({ id }) => id}
          columns={[...columns, revoke]}
        />
      )}
      {tokens !== null && tokens.length === 0 && (
        <EmptyState
          title="No token has been made"
          command="tusk token create dashboard --scope operate"
        >
          Without one, the token that the server was started with is the only way in.
        </EmptyState>
      )}
      {isNew.value && (
        <NewTokenDialog
          onClose={() => {
            isNew.value = false
          }}
          onMade={loaded.reload}
        />
      )}
    </Section>
  )
}

async function revokeToken({ id, name }: Token): Promise<void> {
  const isSure = await confirm({
    title: `Revoke ${name}?`,
    text: 'Its programs are locked out within 5 seconds. Its schedules pause. This cannot be undone.',
    action: 'Revoke 1 token',
  })
  if (isSure) await attempt(() => api.delete(`/tokens/${id}`), `${name} is revoked.`)
}

const tones = { alive: 'done', expired: 'cancelled', revoked: 'cancelled' } as const

const columns: readonly Column<Token>[] = [
  {
    title: 'Token',
    class: 'col-name',
    cell: ({ name, prefix }) => (
      <span class="two-lines">
        <span class="cell-cut">{name}</span>
        <code class="muted">{`tusk_${prefix}_…`}</code>
      </span>
    ),
  },
  { title: 'State', cell: ({ state }) => <Badge state={state} tone={tones[state]} /> },
  {
    title: 'Scopes',
    class: 'col-grow',
    cell: ({ scopes }) => (
      <span class="cell-cut" title={scopes.join(', ')}>
        {scopes.join(', ')}
      </span>
    ),
  },
  {
    title: 'Last used',
    align: 'right',
    from: 'wide',
    cell: ({ last_used_at: at }) => <Time at={at} />,
  },
  {
    title: 'Expires',
    align: 'right',
    from: 'wide',
    cell: ({ expires_at: at }) => (at === null ? 'never' : <Time at={at} />),
  },
  {
    title: 'Made',
    align: 'right',
    from: 'widest',
    cell: ({ created_at: at, created_by: by }) => (
      <span title={`by ${by}`}>
        <Time at={at} />
      </span>
    ),
  },
]
