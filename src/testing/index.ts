export type { EnqueuedFilter, PartOf } from './enqueued-filter.ts'
export { openTestTusk, type TestTuskOptions } from './open-test-tusk.ts'
export type { RanOutcome, RanTask } from './ran-task.ts'
export { type RunOptions, TestTusk } from './test-tusk.ts'
