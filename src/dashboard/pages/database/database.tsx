import type { JSX } from 'preact'
import { Badge } from '../../components/badge.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Tile, Tiles } from '../../components/tiles.tsx'
import { Time } from '../../components/time.tsx'
import { bytes, count } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { Connections, HeldLocks, LockWaits, Transactions } from './activity.tsx'
import type { DatabaseReport, Finding } from './database-model.ts'
import { Indexes, Migrations, Tables } from './relations.tsx'

/** The database that the engine lives in: what is wrong, who is connected, what is large. */
export function Database(): JSX.Element {
  const loaded = useLoad<DatabaseReport>('/database', {}, { every: 10_000 })
  const report = loaded.data.value
  return (
    <PageFrame title="Database">
      <div class="stack">
        <ProblemNote error={loaded.error.value} onRetry={loaded.reload} />
        {report === null && loaded.error.value === null && (
          <p class="muted">Asking the database…</p>
        )}
        {report !== null && <Report report={report} />}
      </div>
    </PageFrame>
  )
}

function Report({ report }: { readonly report: DatabaseReport }): JSX.Element {
  const { relations, locks } = report
  return (
    <>
      <ServerTiles server={report.server} />
      <Findings warnings={report.warnings} />
      {report.unseen.map((what) => (
        <p key={what} class="muted">
          Not seen: {what}
        </p>
      ))}
      <Transactions transactions={report.transactions} />
      <LockWaits waiting={locks.waiting} />
      <div class="columns">
        <Connections connections={report.connections} />
        <HeldLocks held={locks.held} />
      </div>
      <Tables tables={relations.tables} />
      <Indexes indexes={relations.indexes} />
      <Migrations migrations={report.migrations} />
    </>
  )
}

function ServerTiles({ server }: { readonly server: DatabaseReport['server'] }): JSX.Element {
  const share = server.connections / server.max_connections
  return (
    <Tiles>
      <Tile
        label="Postgres"
        value={server.version.split(' ')[0] ?? ''}
        note={server.is_standby ? 'standby' : 'primary'}
      />
      <Tile label="Database" value={bytes(server.database_bytes)} note={server.database} />
      <Tile
        label="Connections"
        value={count(server.connections)}
        note={`of ${count(server.max_connections)}`}
        tone={share > 0.8 ? 'failed' : 'plain'}
      />
      <Tile
        label="Notifications"
        value={`${(server.notify_usage * 100).toFixed(0)} %`}
        note="of their room in use"
        tone={server.notify_usage > 0.1 ? 'failed' : 'plain'}
      />
      <Tile label="Started" value={<Time at={server.started_at} />} note={`as ${server.user}`} />
    </Tiles>
  )
}

const tones = { ok: 'done', notice: 'scheduled', warning: 'blocked', problem: 'failed' } as const

/** What is wrong, the worst first; the same as `tusk doctor` says. */
function Findings({ warnings }: { readonly warnings: readonly Finding[] }): JSX.Element {
  const order = ['problem', 'warning', 'notice']
  const sorted = [...warnings].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level))
  return (
    <Section title="Findings" flush>
      {sorted.length === 0 && <p class="all-well">All is well, as far as can be seen.</p>}
      <ul class="rows">
        {sorted.map((finding) => (
          <li key={finding.check + finding.message} class="rows__row">
            <Badge state={finding.level} tone={tones[finding.level]} />
            <div class="rows__text wrap-anywhere">
              <p>{finding.message}</p>
              {finding.hint !== null && <p class="muted">{finding.hint}</p>}
            </div>
            <code class="muted from-wide">{finding.check}</code>
          </li>
        ))}
      </ul>
    </Section>
  )
}
