/** `ok` and `notice` need nothing done; a `warning` will hurt one day, a `problem` hurts now. */
export type Level = 'ok' | 'notice' | 'warning' | 'problem'

/** What a look at one thing brought out. */
export interface Finding {
  readonly check: string
  readonly level: Level
  readonly message: string
  /** What to do about it; null when nothing is to be done. */
  readonly hint: string | null
  /** The same for programs. */
  readonly details: Readonly<Record<string, unknown>>
}

/** A finding before its check has signed it. */
export interface Symptom {
  readonly level: Exclude<Level, 'ok'>
  readonly message: string
  readonly hint: string
  readonly details?: Readonly<Record<string, unknown>>
}
