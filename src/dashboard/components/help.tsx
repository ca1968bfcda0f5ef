import type { JSX } from 'preact'
import { isHelpOpen } from '../keyboard.ts'
import { pages } from '../pages/all.ts'
import { Dialog } from './dialog.tsx'

const general = [
  ['/', 'Filter the list'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['p', 'Pause and go on'],
  ['?', 'This list'],
] as const

/** What the keys do. */
export function Help(): JSX.Element | null {
  if (!isHelpOpen.value) return null
  const close = () => {
    isHelpOpen.value = false
  }
  const goTo = pages.flatMap(({ key, title }) =>
    key === undefined ? [] : [[`g ${key}`, title] as const],
  )
  return (
    <Dialog title="Keyboard" onClose={close}>
      <dl class="keys">
        {[...general, ...goTo].map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
