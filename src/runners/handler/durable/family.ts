import type { NewChild, StepRow } from '../../../engine/durable.ts'
import type { Json } from '../../../engine/task.ts'
import type { Child, ChildEnd } from '../../../tasks/durable.ts'
import { StepFailed } from '../../../tasks/durable.ts'

type Spawned = readonly { readonly name: string; readonly child: string }[]

interface Asked {
  readonly child: NewChild
  readonly resolve: (child: Child) => void
  readonly reject: (error: unknown) => void
}

/** Collects the children that a handler starts in one turn of the event loop, and starts them with one call. */
export class Family {
  readonly #spawn: (children: readonly NewChild[]) => Promise<Spawned>
  #asked: Asked[] = []

  constructor(spawn: (children: readonly NewChild[]) => Promise<Spawned>) {
    this.#spawn = spawn
  }

  start(child: NewChild): Promise<Child> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ child, resolve, reject })
      if (this.#asked.length === 1) setImmediate(() => void this.#startAll())
    })
  }

  async #startAll(): Promise<void> {
    const asked = this.#asked
    this.#asked = []
    try {
      const spawned = await this.#spawn(asked.map(({ child }) => child))
      const ids = new Map(spawned.map(({ name, child }) => [name, child]))
      for (const { child, resolve } of asked) {
        resolve({ id: ids.get(child.name) ?? '', name: child.name })
      }
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}

/** The outputs of the children if all succeeded. Throws the error of the first that did not. */
export function outputsOf(ended: readonly StepRow[]): Json[] {
  const failed = ended.find(({ state }) => state === 'failed')
  if (failed !== undefined) throw new StepFailed(failed.name, failed.error)
  return ended.map(({ output }) => output)
}

export function endsOf(ended: readonly StepRow[]): ChildEnd[] {
  return ended.map(({ state, output, error }) =>
    state === 'done' ? { state, output } : { state: 'failed', error },
  )
}
