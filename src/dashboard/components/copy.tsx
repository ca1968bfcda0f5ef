import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from './button.tsx'

/** Puts text where it can be pasted; over plain HTTP the browser gives no clipboard, so the old way. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'offscreen'
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}

export function Copy({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string)
  readonly label?: string
}): JSX.Element {
  const isDone = useSignal(false)
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text())
    isDone.value = true
    setTimeout(() => {
      isDone.value = false
    }, 1_500)
  }
  return (
    <Button
      look="quiet"
      icon={isDone.value ? 'check' : 'copy'}
      label={isDone.value ? 'Copied' : label}
      onClick={() => void copy()}
    />
  )
}
