import type { JSX } from 'preact'
import { Facts } from '../../components/facts.tsx'
import { PageFrame, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem.tsx'
import { Segments } from '../../components/segments.tsx'
import { apiPath, base } from '../../lib/base.ts'
import { useLoad } from '../../lib/load.ts'
import { theme, themes } from '../../lib/theme.ts'
import { viewersZone } from '../../lib/zoned.ts'
import type { Info } from '../../model.ts'
import { may, sessionState } from '../../session.ts'
import { Defaults } from './defaults.tsx'
import { Tokens } from './tokens.tsx'

/** Who may come in, how long things are kept, and how it looks. */
export function Settings(): JSX.Element {
  return (
    <PageFrame title="Settings">
      <div class="stack">
        <div class="columns">
          <Look />
          <About />
        </div>
        <Defaults />
        {may('admin') ? (
          <Tokens />
        ) : (
          <Section title="Tokens">
            <p class="muted">
              To see and make tokens, sign in with one of the scope <code>admin</code>.
            </p>
          </Section>
        )}
      </div>
    </PageFrame>
  )
}

const themeNames = { auto: 'As the system', light: 'Light', dark: 'Dark' } as const

function Look(): JSX.Element {
  const state = sessionState.value
  const session = state.is === 'signed-in' ? state.session : null
  return (
    <Section title="You">
      <div class="form">
        <Segments
          label="Theme"
          value={theme.value}
          choices={themes.map((value) => ({
            value,
            text: themeNames[value],
          }))}
          onChange={(value) => {
            theme.value = themes.find((one) => one === value) ?? 'auto'
          }}
        />
        <Facts
          facts={[
            ['Signed in as', session?.name],
            ['Scopes', session?.scopes.join(', ')],
            ['Times are shown in', viewersZone()],
          ]}
        />
      </div>
    </Section>
  )
}

function About(): JSX.Element {
  const loaded = useLoad<Info>('/info')
  const info = loaded.data.value
  return (
    <Section title="This server">
      <div class="form">
        <ProblemNote error={loaded.error.value} />
        <Facts
          facts={[
            ['Tusk', info?.version],
            ['Schema', info === null ? null : `${info.schema}, ${info.schema_version}`],
            ['Postgres', info?.database.version],
            ['SQL over HTTP', info === null ? null : info.sql_over_http ? 'on' : 'off'],
          ]}
        />
        <p class="bar">
          <a href={apiPath('/docs')}>API reference</a>
          <a href={apiPath('/openapi.json')}>OpenAPI document</a>
          <a href={`${base}/metrics`} target="_blank" rel="noreferrer">
            Metrics
          </a>
        </p>
      </div>
    </Section>
  )
}
