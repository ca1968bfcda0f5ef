import type { JSX } from 'preact'
import { Confirmations } from './components/confirm.tsx'
import { EmptyState } from './components/empty-state.tsx'
import { Help } from './components/help.tsx'
import { Layout } from './components/layout.tsx'
import { PageFrame } from './components/page.tsx'
import { SignIn } from './components/sign-in.tsx'
import { Toasts } from './components/toast.tsx'
import { pages } from './pages/all.ts'
import { href, matchPath, place } from './router.ts'
import { sessionState } from './session.ts'

export function App(): JSX.Element | null {
  const state = sessionState.value
  if (state.is === 'asking') return null
  if (state.is === 'signed-out') return <SignIn problem={state.problem} />
  return (
    <>
      <Layout>
        <CurrentPage />
      </Layout>
      <Confirmations />
      <Help />
      <Toasts />
    </>
  )
}

function CurrentPage(): JSX.Element {
  const { path } = place.value
  for (const { path: pattern, component: Component } of pages) {
    const params = matchPath(pattern, path)
    // Another path is another page with a state of its own, even if it looks the same.
    if (params !== null) return <Component key={path} params={params} />
  }
  return (
    <PageFrame title="Nothing here">
      <EmptyState title={`There is no page at ${path}.`}>
        <a href={href('/')}>To the overview</a>
      </EmptyState>
    </PageFrame>
  )
}
