import { api } from '../../api.ts'
import { confirm } from '../../components/confirm.tsx'
import { attempt } from '../../components/toast.tsx'
import { plural } from '../../lib/format.ts'
import { operate } from '../../lib/operate.ts'
import type { QueueStats } from '../../model.ts'

/** The address of a queue in the API. */
export function queuePath(name: string, deed = ''): string {
  return `/queues/${encodeURIComponent(name)}${deed}`
}

/** Nothing more of it starts; what runs goes on. Asks, with what waits there. */
export async function pauseQueue({ queue, due, running }: QueueStats): Promise<boolean> {
  const isSure = await confirm({
    title: `Pause ${queue}?`,
    text: `${plural(due, 'task')} due ${due === 1 ? 'waits' : 'wait'} until it is resumed. What runs now (${running}) goes on.`,
    action: 'Pause the queue',
    danger: false,
  })
  return isSure && attempt(() => api.post(queuePath(queue, '/pause')), `${queue} is paused.`)
}

export function resumeQueue(queue: string): Promise<boolean> {
  return attempt(() => api.post(queuePath(queue, '/resume')), `${queue} goes on.`)
}

export function retryFailed(queue: string): Promise<boolean> {
  return operate({ action: 'retry', filter: { queue, state: ['failed'] } })
}

/** All that waits is cancelled; it stays to be seen. */
export function cancelWaiting(queue: string): Promise<boolean> {
  const states = ['ready', 'scheduled', 'retrying', 'blocked']
  return operate({ action: 'cancel', filter: { queue, state: states } })
}
