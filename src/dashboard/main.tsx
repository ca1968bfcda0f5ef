import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './app.tsx'
import { startKeyboard } from './keyboard.ts'
import { startClock } from './lib/clock.ts'
import { startTheme } from './lib/theme.ts'
import { startLive, stopLive } from './live.ts'
import { startRouter } from './router.ts'
import { sessionState, startSession } from './session.ts'

const root = document.getElementById('app')
if (root === null) throw new Error('the page has no element #app')

startTheme()
startClock()
startRouter()
startKeyboard()
render(<App />, root)
effect(() => {
  // A user with a cookie need not wait for the answer to GET /session.
  const { is } = sessionState.value
  if (is === 'signed-out' || (is === 'asking' && location.hash !== '')) stopLive()
  else startLive()
})
await startSession()
