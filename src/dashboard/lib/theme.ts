import { effect, signal } from '@preact/signals'

export const themes = ['auto', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const dark = window.matchMedia('(prefers-color-scheme: dark)')
const prefersDark = signal(dark.matches)

/** What the viewer chose; auto follows the system. */
export const theme = signal<Theme>(readTheme())

/** What is shown. */
export function shownTheme(): 'light' | 'dark' {
  if (theme.value !== 'auto') return theme.value
  return prefersDark.value ? 'dark' : 'light'
}

export function startTheme(): void {
  dark.addEventListener('change', () => {
    prefersDark.value = dark.matches
  })
  effect(() => {
    document.documentElement.dataset['theme'] = shownTheme()
    try {
      localStorage.setItem('tusk-theme', theme.value)
    } catch {
      // A browser that keeps nothing shows the system's choice next time.
    }
  })
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem('tusk-theme')
    return themes.find((one) => one === kept) ?? 'auto'
  } catch {
    return 'auto'
  }
}
