import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { isHelpOpen } from '../keyboard.ts'
import { theme, themes } from '../lib/theme.ts'
import { pages } from '../pages/all.ts'
import type { PageEntry } from '../pages/page.ts'
import { href, place } from '../router.ts'
import { may, sessionState, signOut } from '../session.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { LiveToggle } from './live-toggle.tsx'
import { toastError } from './toast.tsx'

const isMenuOpen = signal(false)

/** The frame of all pages: navigation at the side, or behind a button where it is narrow. */
export function Layout({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const close = () => {
    isMenuOpen.value = false
  }
  return (
    <div class="layout">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="topbar">
        <Button
          look="quiet"
          icon="menu"
          label={isMenuOpen.value ? 'Close the navigation' : 'Open the navigation'}
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value
          }}
        />
        <Brand />
        <LiveToggle />
      </div>
      <aside class={isMenuOpen.value ? 'side side--open' : 'side'}>
        <Brand />
        <Navigation onGo={close} />
        <Footing />
      </aside>
      {isMenuOpen.value && <div class="veil" aria-hidden="true" onClick={close} />}
      <main id="main" class="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function Brand(): JSX.Element {
  return (
    <a class="brand" href={href('/')}>
      <svg class="brand__mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M9 7c0 9 3.500 15.500 14 18-5-5-6.500-10-6.500-18z" />
      </svg>
      Tusk
    </a>
  )
}

function Navigation({ onGo }: { readonly onGo: () => void }): JSX.Element {
  const shown = pages.filter(
    ({ icon, scope }) => icon !== undefined && (scope === undefined || may(scope)),
  )
  return (
    <nav class="nav" aria-label="Pages">
      <ul>
        {shown.map((page) => (
          <NavigationLink key={page.path} page={page} onGo={onGo} />
        ))}
      </ul>
    </nav>
  )
}

function NavigationLink({
  page,
  onGo,
}: {
  readonly page: PageEntry
  readonly onGo: () => void
}): JSX.Element {
  const { path } = place.value
  const isHere = page.path === '/' ? path === '/' : `${path}/`.startsWith(`${page.path}/`)
  return (
    <li>
      <a
        class="nav__link"
        href={href(page.path)}
        aria-current={isHere ? 'page' : undefined}
        onClick={onGo}
      >
        {page.icon !== undefined && <Icon name={page.icon} />}
        {page.title}
      </a>
    </li>
  )
}

function Footing(): JSX.Element {
  const state = sessionState.value
  const name = state.is === 'signed-in' ? state.session.name : null
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto'
  const icons = { auto: 'auto', light: 'sun', dark: 'moon' } as const
  return (
    <div class="side__foot">
      <LiveToggle />
      <div class="side__row">
        <span class="side__who muted" title={name ?? undefined}>
          {name ?? 'signed in'}
        </span>
        <Button
          look="quiet"
          icon={icons[theme.value]}
          label={`Theme: ${theme.value}. Change to ${next}`}
          onClick={() => {
            theme.value = next
          }}
        />
        <Button
          look="quiet"
          icon="help"
          label="Keyboard shortcuts"
          onClick={() => {
            isHelpOpen.value = true
          }}
        />
        <Button
          look="quiet"
          icon="out"
          label="Sign out"
          onClick={() => void signOut().catch(toastError)}
        />
      </div>
    </div>
  )
}
