import type { InlineRun } from './inline-run.ts'

/** Lets the process of a run die at a call, as far as a test can: the call never comes back, and nothing is reported. */
export class Crashes {
  #planned: { readonly call: number; readonly when: 'before' | 'after' } | undefined
  #calls = 0

  plan(call: number, when: 'before' | 'after'): void {
    this.#planned = { call, when }
    this.#calls = 0
  }

  async around<T>(run: InlineRun, work: () => Promise<T>): Promise<T> {
    if (this.#planned === undefined) return work()
    this.#calls += 1
    const { call, when } = this.#planned
    if (this.#calls < call) return work()
    this.#planned = undefined
    if (when === 'after') await work()
    run.isCrashed = true
    run.suspend()
    return new Promise(() => {})
  }
}
