/** A call to another process and its answer; arguments and values travel as JSON. */
export interface Call {
  readonly id: number
  readonly verb: string
  readonly args: readonly unknown[]
}

export interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** Asks the process to end in order. Every process with a subject supports this. */
export interface Closable {
  close(): Promise<void>
}

export type ArgumentsOf<F> = F extends (...args: infer A) => unknown ? A : never
export type AnswerOf<F> = F extends (...args: never) => infer R ? R : never

/** Milliseconds of the monotonic clock that all processes of the machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
