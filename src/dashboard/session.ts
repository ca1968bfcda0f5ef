import { signal } from '@preact/signals'
import type { session } from '../http/schemas/server.ts'
import { ApiError, api, onSignedOut } from './api.ts'
import type { Read } from './model.ts'

/** Who looks, and what they may do. */
export type Session = Read<typeof session>

type SessionState =
  | { readonly is: 'asking' }
  | { readonly is: 'signed-out'; readonly problem: string | null }
  | { readonly is: 'signed-in'; readonly session: Session }

const retryMs = 2_000

export const sessionState = signal<SessionState>({ is: 'asking' })

/** What is in a scope besides itself. */
const includes: Readonly<Record<string, readonly string[]>> = {
  admin: ['operate', 'read', 'enqueue', 'consume', 'sql'],
  operate: ['read', 'enqueue', 'consume'],
}

/** Whether the viewer may; the server decides, this only keeps useless buttons away. */
export function may(scope: string): boolean {
  const state = sessionState.value
  if (state.is !== 'signed-in') return false
  return state.session.scopes.some(
    // Of enqueue:mail too: which queues it is for, the server knows.
    (given) => given.split(':')[0] === scope || (includes[given]?.includes(scope) ?? false),
  )
}

/** Signs in with the token in the address, if there is one, else asks who we are. */
export async function startSession(): Promise<void> {
  onSignedOut(() => {
    if (sessionState.value.is === 'signed-in') {
      sessionState.value = { is: 'signed-out', problem: 'You were signed out.' }
    }
  })
  const token = takeTokenFromAddress()
  // The address was pasted where the page is open already.
  window.addEventListener('hashchange', () => {
    const given = takeTokenFromAddress()
    if (given !== null) void signIn(given)
  })
  if (token !== null) await signIn(token)
  else await resumeSession()
}

export async function signIn(token: string): Promise<void> {
  try {
    await api.post('/session', { token })
    sessionState.value = { is: 'signed-in', session: await api.get<Session>('/session') }
  } catch (error) {
    sessionState.value = { is: 'signed-out', problem: messageOf(error) }
  }
}

export async function signOut(): Promise<void> {
  await api.delete('/session')
  sessionState.value = { is: 'signed-out', problem: null }
}

async function resumeSession(): Promise<void> {
  if (sessionState.peek().is === 'signed-in') return
  try {
    sessionState.value = { is: 'signed-in', session: await api.get<Session>('/session') }
  } catch (error) {
    const status = error instanceof ApiError ? error.status : undefined
    sessionState.value = { is: 'signed-out', problem: status === 401 ? null : messageOf(error) }
    // No server answered: perhaps it is only being restarted, and the cookie is still valid.
    if (status === 0) setTimeout(() => void resumeSession(), retryMs)
  }
}

/** The part after # never reaches a server's log; once read, it must not stay in the history either. */
function takeTokenFromAddress(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token !== null) history.replaceState(null, '', location.pathname + location.search)
  return token
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
