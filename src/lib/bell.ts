/** Something to wait for. Rings coalesce: however many come while nobody waits, the next to wait does not. */
export class Bell {
  #isRung: boolean = false
  #waiter: (() => void) | undefined

  ring(): void {
    this.#isRung = true
    this.#waiter?.()
  }

  /** Whether the next to wait does not wait. */
  get isRung(): boolean {
    return this.#isRung
  }

  /** Forgets what rang before: the one who looks now will see what it was about. Tells whether anything did. */
  hush(): boolean {
    const wasRung = this.#isRung
    this.#isRung = false
    return wasRung
  }

  /** Resolves at the next ring, or when the time is over; tells which. */
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
