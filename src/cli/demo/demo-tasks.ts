import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../tasks/context.ts'
import { type AnyTask, defineTask } from '../../tasks/define-task.ts'

/** The handlers of the demo: quick and slow ones, some that fail, one that tells how far it is. */
export const demoTasks: readonly AnyTask[] = [
  defineTask({
    name: 'send_mail',
    queue: 'mail',
    maxAttempts: 4,
    run: async ({ to }: { to: string }, { signal }: Context) => {
      await work(20, 200, signal)
      if (chance(0.08)) throw new Error(`mailbox of ${to} is full`)
      return { message_id: `m-${Math.floor(Math.random() * 1e6)}` }
    },
  }),
  defineTask({
    name: 'make_thumbnail',
    queue: 'images',
    maxAttempts: 2,
    run: async ({ image }: { image: string }, { signal, log }: Context) => {
      log(`reading ${image}`)
      await work(300, 1_500, signal)
      if (chance(0.03)) throw new TypeError(`${image} is not an image`)
      return { width: 320, height: 200 }
    },
  }),
  defineTask({
    name: 'monthly_report',
    queue: 'reports',
    timeout: '30 seconds',
    run: async ({ month }: { month: string }, { signal, progress, log }: Context) => {
      const steps = 5
      for (let step = 1; step <= steps; step += 1) {
        await work(500, 1_500, signal)
        await progress({ step, steps })
        log(`chapter ${step} of ${steps} for ${month}`)
      }
      return { pages: 7 * steps }
    },
  }),
  defineTask({
    name: 'call_webhook',
    queue: 'webhooks',
    maxAttempts: 3,
    run: async ({ customer }: { customer: string }, { signal }: Context) => {
      await work(100, 600, signal)
      if (customer === 'initech' && chance(0.5)) throw new Error('503 Service Unavailable')
      return { status: 200 }
    },
  }),
  defineTask({
    name: 'heartbeat',
    queue: 'heartbeat',
    run: async () => ({ at: new Date().toISOString() }),
  }),
]

function work(fromMs: number, toMs: number, signal: AbortSignal): Promise<void> {
  return pause(fromMs + Math.random() * (toMs - fromMs), undefined, { signal })
}

export function chance(of: number): boolean {
  return Math.random() < of
}
