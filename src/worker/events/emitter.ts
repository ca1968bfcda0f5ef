import { TuskError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { requireOneOf } from '../../lib/require-known.ts'
import type {
  WorkerEventName,
  WorkerEvents,
  WorkerListener,
  WorkerListeners,
} from './worker-events.ts'

export const eventNames: readonly WorkerEventName[] = [
  ...(['started', 'completed', 'failed', 'rescheduled', 'released', 'lost'] as const),
  ...(['idle', 'stopping', 'stopped'] as const),
]

type AnyListener = (event: never) => unknown

/** Tells listeners what happens in a worker. A listener that throws or rejects is logged, and changes nothing. */
export class WorkerEmitter {
  readonly #log: Logger
  readonly #listeners = new Map<string, Set<AnyListener>>()

  constructor(log: Logger, listeners: WorkerListeners = {}) {
    this.#log = log
    for (const [name, listener] of Object.entries(listeners)) {
      if (listener !== undefined) this.on(name as 'idle', listener as WorkerListener<'idle'>)
    }
  }

  /** Subscribes; what it returns unsubscribes. */
  on<Name extends WorkerEventName>(name: Name, listener: WorkerListener<Name>): () => void {
    requireOneOf('worker event', name, eventNames)
    if (typeof listener !== 'function') {
      throw new TuskError('invalid_argument', `the listener for ${name} is not a function`, {
        hint: `Give a function: worker.on('${name}', (event) => …).`,
      })
    }
    const listeners = this.#listeners.get(name) ?? new Set()
    // A function of its own: the same listener given twice is called twice, and unsubscribed once.
    const each: AnyListener = (event) => listener(event)
    this.#listeners.set(name, listeners.add(each))
    return () => {
      listeners.delete(each)
      if (listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name)
    }
  }

  /** Whether anything listens: ask before you make an event. */
  hears(name: WorkerEventName): boolean {
    return this.#listeners.has(name)
  }

  emit<Name extends WorkerEventName>(name: Name, event: WorkerEvents[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        const answer = listener(event as never)
        if (answer instanceof Promise) answer.catch((err: unknown) => this.#complain(name, err))
      } catch (err) {
        this.#complain(name, err)
      }
    }
  }

  #complain(event: string, err: unknown): void {
    this.#log.error({ err, event }, `a listener for "${event}" failed`)
  }
}
