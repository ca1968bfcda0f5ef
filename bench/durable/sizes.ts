/** How much of everything one round has. */
export interface Sizes {
  /** Runs of 20 steps that one worker executes. */
  readonly runs: number
  readonly steps: number
  /** Steps of the one run that is alone. */
  readonly single: number
  /** A round that takes longer is cut off. Its rate counts what was done by then. */
  readonly patienceSeconds: number
  /** Runs that are woken, one after the other. */
  readonly wakes: number
  readonly sleepMs: number
  /** Runs of the kill test, and how long a step of it takes. */
  readonly killRuns: number
  readonly killSteps: number
  readonly effectMs: number
  /** How long the runs of a killed process are watched. */
  readonly watchSeconds: number
}

export const fullSizes: Sizes = {
  runs: 300,
  steps: 20,
  single: 300,
  patienceSeconds: 15,
  wakes: 40,
  sleepMs: 2_000,
  killRuns: 10,
  killSteps: 6,
  effectMs: 500,
  watchSeconds: 140,
}

/** Enough to see that it works. The figures mean nothing. */
export const quickSizes: Sizes = {
  ...fullSizes,
  runs: 20,
  single: 20,
  patienceSeconds: 10,
  wakes: 5,
  killRuns: 4,
  watchSeconds: 25,
}
