/** Milliseconds of a clock that never jumps and is the same in all threads of the process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}
