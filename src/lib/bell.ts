/** A signal to wait for. Rings are combined: however many came before, the next wait() returns at once. */
export class Bell {
  #isRung: boolean = false
  #waiter: (() => void) | undefined

  ring(): void {
    this.#isRung = true
    this.#waiter?.()
  }

  /** Whether the next wait() returns at once. */
  get isRung(): boolean {
    return this.#isRung
  }

  /** Forgets earlier rings, because the caller is about to check anyway. Returns whether there were any. */
  hush(): boolean {
    const wasRung = this.#isRung
    this.#isRung = false
    return wasRung
  }

  /** Resolves at the next ring or when the time is up. Returns which came first. */
  async wait(ms: number): Promise<'rung' | 'over'> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#waiter = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#waiter = undefined
    }
    const how = this.#isRung ? 'rung' : 'over'
    this.#isRung = false
    return how
  }
}
